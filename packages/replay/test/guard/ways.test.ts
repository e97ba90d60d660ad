import { slot } from '@stepfork/recorder/boundary';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf, isBlocked, watchedRun } from './watched.js';
import { ways } from './ways/all.js';
import type { WayOutCase } from './ways/way-out-case.js';
import { createWorld, type World } from './world.js';

const HERE = expect.stringMatching(/^packages\/replay\/test\/guard\/ways\/[a-z-]+\.ts:\d+:\d+$/);

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function expectToWork({ attempt, fails, unseen }: WayOutCase): Promise<void> {
  const before = world.seen();
  const failure = await failureOf(() => attempt(world));
  await world.settle();
  expect(isBlocked(failure)).toBe(false);
  if (fails !== true) expect(failure).toBe(undefined);
  // Beyond the connection by which it was waited for, and its one message.
  if (unseen !== true) expect(world.seen() - before).toBeGreaterThan(2);
}

async function expectToBeBlocked(way: WayOutCase): Promise<void> {
  const run = watchedRun();
  try {
    const before = world.seen();
    const failure = await run.inside(() => failureOf(() => way.attempt(world)));
    await world.settle();
    expect(world.seen() - before).toBe(2);
    expect(failure).not.toBe(undefined);
    if (way.vague !== true) expect(isBlocked(failure)).toBe(true);
    expect(run.blocked).toEqual([{ what: way.what(world), callSite: way.placeless === true ? null : HERE }]);

    await expectToWork(way);
    expect(run.blocked).toHaveLength(1);
  } finally {
    run.end();
  }
  await run.inside(() => expectToWork(way));
  expect(run.blocked).toHaveLength(1);
}

describe('inside a frozen run it fails at once, is reported once and reaches nobody; elsewhere it works:', () => {
  for (const way of ways) it(way.name, () => expectToBeBlocked(way));
});

it('has at least sixty ways out to try', () => {
  expect(new Set(ways.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60);
});

it('finds all that it patches in this Node', () => {
  const run = watchedRun();
  run.end();
  expect(run.unwatched).toEqual([]);
  expect(slot().frames.getStore()).toBe(undefined);
});
