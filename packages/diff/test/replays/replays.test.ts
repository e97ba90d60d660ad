import { join } from 'node:path';
import { llmRequest, record, traceTool } from '@stepfork/recorder';
import { type ReplayOptions, replay } from '@stepfork/replay';
import { loadTrace, type Trace } from '@stepfork/trace-format';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffTraces, formatDiff } from '../../src/index.js';
import { temporaryFolder } from '../support/bundle.js';
import { differences } from '../support/outline.js';
import { runOf, type ToolDeed } from '../support/run-builder.js';

let price = 320;
const fares = traceTool('fares', async (city: string) => ({ city, price }));
const seats = traceTool('seats', async (city: string) => {
  if (city === 'Atlantis') throw new RangeError('no such city');
  return [`${city} 1A`, (await fares(city)).price];
});
const ask = (prompt: string, call: () => Promise<unknown>): Promise<unknown> =>
  llmRequest({ provider: 'acme', model: 'big', input: { prompt }, call });
/** Four steps inside: a tool, one inside it, a model, and a tool that the call of the model calls. */
const book = traceTool('book', async (city: string) => {
  const seat = await seats(city);
  return ask(`Is ${seat} good?`, () => fares(city));
});
const trip = async (): Promise<unknown> => [await book('Lisbon'), await seats('Atlantis').catch(String)];

/** A recorded run, and a recorded replay of it by the same or another agent. */
async function runAndReplay(
  agent: () => Promise<unknown>,
  options: ReplayOptions = {},
  replayed = agent,
): Promise<readonly [run: Trace, replay: Trace]> {
  const folder = temporaryFolder();
  const [recording, candidate] = [join(folder, 'run.sftrace'), join(folder, 'candidate.sftrace')];
  await record('trip', { output: recording }, agent).catch(() => {});
  await replay(recording, () => record('trip', replayed), { ...options, record: candidate });
  return [loadTrace(recording), loadTrace(candidate)];
}

describe('a run and its replay', () => {
  test('behave the same where the replay answered calls without running them', async () => {
    const [run, again] = await runAndReplay(trip);
    for (const [baseline, candidate] of [
      [run, again],
      [again, run],
    ] as const) {
      const result = diffTraces(baseline, candidate);
      expect(result).toMatchObject({ equivalent: true, notReplayed: 4 });
      expect(result.counts).toMatchObject({ unchanged: 4, added: 0, removed: 0 });
      expect(formatDiff(result)).toBe(
        'The two runs behave the same.\nNot compared: 4 steps inside calls that the replay answered from the recording.\n',
      );
    }
  });

  test('are compared inside calls whose bodies ran', async () => {
    const dearer = async (): Promise<unknown> => {
      price = 450;
      return book('Lisbon').finally(() => {
        price = 320;
      });
    };
    const approve: ReplayOptions['approve'] = ({ name }) => (name === 'book' ? 'live' : 'recorded');
    const [run, again] = await runAndReplay(() => book('Lisbon'), { mode: 'manual', approve });
    expect(diffTraces(run, again)).toMatchObject({ equivalent: true, notReplayed: 2, counts: { unchanged: 4 } });
    const ran = await runAndReplay(() => seats('Lisbon'), { mode: 'live', allowLiveTools: ['seats', 'fares'] });
    expect(diffTraces(...ran)).toMatchObject({ equivalent: true, counts: { unchanged: 3 } });
    expect(diffTraces(...ran).notReplayed).toBeUndefined();
    const allowLiveTools = ['book', 'seats', 'fares'];
    const [cheap, dear] = await runAndReplay(() => book('Lisbon'), { mode: 'live', allowLiveTools }, dearer);
    expect(differences(diffTraces(cheap, dear))).toContain('changed tool fares 2→2: output.price');
  });

  test('differ in what the agent does itself', async () => {
    const [run, again] = await runAndReplay(trip, {}, async () => [await book('Lisbon'), 'no more']);
    const result = diffTraces(run, again);
    expect(result.notReplayed).toBe(4);
    expect(differences(result)).toEqual([
      'removed tool seats 5→-',
      'removed error RangeError 6→-',
      'changed run run 7→1: output[1]',
    ]);
    expect(formatDiff(result)).toContain('\nremoved step 11 tool seats\n');
  });
});

describe('a replay', () => {
  const inner = { tool: 'fares', input: { city: 'Lisbon' }, output: 320 };
  const outer = { tool: 'book', input: { city: 'Lisbon' }, output: 'booked' };
  const run = runOf([{ ...outer, inside: [inner, { state: 'plan', after: 1 }, { ...inner, inside: [inner] }] }]);

  test('that calls itself what stood in a body has one more call', () => {
    const result = diffTraces(run, runOf([outer, inner], { replayOf: run }));
    expect(differences(result)).toEqual(['added tool fares -→1']);
    expect(result.notReplayed).toBe(4);
  });

  test('that makes no such call has lost it, and all in it', () => {
    const result = diffTraces(run, runOf([], { replayOf: run }));
    expect(result.counts).toMatchObject({ removed: 5, added: 0 });
    expect(result.notReplayed).toBeUndefined();
  });

  test('of another run is a run like any other', () => {
    const other = runOf([outer]);
    expect(diffTraces(run, runOf([outer], { replayOf: other })).counts.removed).toBe(4);
    expect(diffTraces(run, runOf([outer], { replayOf: run })).equivalent).toBe(true);
  });

  test('does not gain by having more inside a call than the recording', () => {
    const bare = runOf([outer]);
    expect(diffTraces(bare, runOf([{ ...outer, inside: [inner] }], { replayOf: bare })).counts.added).toBe(1);
  });

  test('that answered an error holds it as the recording does', () => {
    const failed = { ...outer, failure: 'full' };
    const recorded = runOf([{ ...failed, inside: [inner] }]);
    const result = diffTraces(recorded, runOf([failed], { replayOf: recorded }));
    expect(result).toMatchObject({ equivalent: true, notReplayed: 1, counts: { unchanged: 3 } });
  });

  test('shows no secret that only a body gave away', () => {
    const login = { tool: 'login', input: { api_key: 'hunter2hunter2' } };
    const recorded = runOf([{ ...outer, inside: [login] }], { output: 'see hunter2hunter2' });
    const result = diffTraces(recorded, runOf([outer], { output: 'hunter2hunter2?', replayOf: recorded }));
    expect(result).toMatchObject({ equivalent: false, notReplayed: 1 });
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  test('is the same as its recording, whichever bodies ran, and whichever of both is the baseline', () => {
    const leaf = fc.constantFrom<ToolDeed>(inner, outer, { ...inner, failure: 'full' }, { ...inner, open: true });
    const call = fc
      .tuple(leaf, fc.array(fc.tuple(leaf, fc.array(leaf, { maxLength: 2 })), { maxLength: 3 }))
      .map(([deed, below]) => ({ ...deed, inside: below.map(([one, inside]) => ({ ...one, inside })) }));
    const served = (deed: ToolDeed, live: readonly string[]): ToolDeed => {
      const inside = live.includes(deed.tool) ? (deed.inside ?? []) : [];
      return { ...deed, inside: inside.map((below) => ('tool' in below ? served(below, live) : below)) };
    };
    fc.assert(
      fc.property(fc.array(call, { maxLength: 6 }), fc.subarray(['fares', 'book']), (deeds, live) => {
        const recorded = runOf(deeds);
        const again = runOf(
          deeds.map((deed) => served(deed, live)),
          { replayOf: recorded },
        );
        const all = diffTraces(recorded, recorded).steps.length;
        for (const result of [diffTraces(recorded, again), diffTraces(again, recorded)]) {
          expect(result.equivalent).toBe(true);
          expect(result.counts.unchanged + (result.notReplayed ?? 0)).toBe(all);
        }
      }),
      { numRuns: process.env.STEPFORK_FULL === '1' ? 2000 : 200 },
    );
  });
});
