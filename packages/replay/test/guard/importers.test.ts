import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf, isBlocked, watchedRun } from './watched.js';
import { createWorld, type World } from './world.js';

/** Ways out, as a module takes the functions for them when it is loaded. */
const BODY = `
  const told = (ask) => new Promise((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value))));
  const came = (emitter, event) => new Promise((resolve, reject) => emitter.on(event, resolve).on('error', reject));
  const ways = {
    connect: (world) => came(connect(world.ports.raw, '127.0.0.1'), 'connect'),
    get: (world) => came(get(world.url), 'response'),
    exec: (world) => told((done) => exec(world.program, done)),
    execSync: (world) => execSync(world.program),
    spawnSync: (world) => spawnSync(world.program),
    execFileSync: (world) => execFileSync(world.program),
    fork: (world) => came(fork(world.script, { execArgv: [] }), 'exit'),
    worker: (world) => came(new Worker(world.script), 'exit'),
    lookup: () => told((done) => lookup('localhost', done)),
    datagram: (world) => told((done) => createSocket('udp4').unref().send('x', world.ports.udp, '127.0.0.1', done)),
  };`;
const COMMONJS = `
  const { connect } = require('node:net');
  const { get } = require('node:http');
  const { exec, execSync, spawnSync, execFileSync, fork } = require('node:child_process');
  const { Worker } = require('node:worker_threads');
  const { lookup } = require('node:dns');
  const { createSocket } = require('node:dgram');
  ${BODY}
  module.exports = { ways, load: (path) => import(path) };`;
const MODULE = `
  import { connect } from 'node:net';
  import { get } from 'node:http';
  import { exec, execSync, spawnSync, execFileSync, fork } from 'node:child_process';
  import { Worker } from 'node:worker_threads';
  import { lookup } from 'node:dns';
  import { createSocket } from 'node:dgram';
  ${BODY}
  export { ways };`;

type Ways = Readonly<Record<string, (world: World) => unknown>>;

let world: World;
let folder: string;
const loaded: { commonJs: Ways; module: Ways } = { commonJs: {}, module: {} };
beforeAll(async () => {
  world = await createWorld();
  folder = mkdtempSync(join(tmpdir(), 'stepfork-importers-'));
  writeFileSync(join(folder, 'agent.cjs'), COMMONJS);
  writeFileSync(join(folder, 'agent.mjs'), MODULE);
  const { ways, load } = createRequire(import.meta.url)(join(folder, 'agent.cjs'));
  loaded.commonJs = ways;
  // Loaded by Node itself, not by the test runner, whose imports follow on their own.
  loaded.module = (await load(join(folder, 'agent.mjs'))).ways;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.close();
});

const NAMES = 'connect get exec execSync spawnSync execFileSync fork worker lookup datagram'.split(' ');

describe.each(['commonJs', 'module'] as const)('an agent that is loaded as %s before the run', (kind) => {
  for (const name of NAMES) {
    it(`is stopped at ${name}`, async () => {
      const run = watchedRun();
      const before = world.seen();
      const failure = await run.inside(() => failureOf(() => loaded[kind][name]?.(world)));
      run.end();
      await world.settle();
      expect(isBlocked(failure)).toBe(true);
      expect(run.blocked).toEqual([{ what: expect.any(String), callSite: expect.stringMatching(/agent\.[cm]js:\d+/) }]);
      expect(world.seen() - before).toBe(2);
    });
  }
});
