import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { record } from '@stepfork/recorder';
import { loadTrace, pairCalls } from '@stepfork/trace-format';
import { formatReport, type ReplayReport, replay } from '../../src/index.js';
import { type Mutation, mutate } from './mutate.js';
import { generateProgram, type Step } from './program.js';
import { createRandom, type Random } from './random.js';
import { hasRacingCallbacks, hasRacingWaits, isEffective } from './waits.js';
import { createWorld, keyOf, type World } from './world.js';

/** A generated program, recorded. */
export interface Trial {
  readonly seed: number;
  readonly program: Step;
  readonly recorded: World;
  readonly path: string;
  /** What is replayed: the program, or one that was changed. */
  readonly candidate: Step;
  readonly mutation: Mutation | null;
  /** What comes first in it is decided by what no recording holds. */
  readonly isRacing: boolean;
  /** The calls that a replay must see, as the bundle holds them. */
  readonly expected: readonly string[];
  /** The recorded output. */
  readonly output: unknown;
}

/** Milliseconds within which the end of a wait and an answer race each other. */
const PHOTO_FINISH = 10;
/**
 * Milliseconds by which a run may be late before its program is recorded, or replayed, again: what a recording and a replay
 * that are no later can turn round is a photo finish.
 */
const MOST_LATE = 3;
/** The same for a recording: what is late adds up along it. */
const MOST_LATE_RECORDED = 3;
const ATTEMPTS = 5;
const REPLAYS = 8;
const LONGEST_LATENCY = 60;
const HANG_MS = 20_000;

export async function recordTrial(seed: number, folder: string): Promise<Trial> {
  const program = generateProgram(seed);
  const path = join(folder, `${seed}.sftrace`);
  const recorded = await recordSteadily(program, path, createRandom(seed ^ 0x5f5f5f));
  const mutation = seed % 2 === 1 ? mutate(program, createRandom(seed ^ 0x777)) : null;
  const trace = loadTrace(path);
  return {
    seed,
    program,
    recorded,
    path,
    candidate: mutation?.program ?? program,
    mutation,
    isRacing: hasRacingCallbacks(program) || hasRacingWaits(recorded.waits, PHOTO_FINISH) || !isSteady(recorded),
    expected: pairCalls(trace.events)
      .filter(({ frame }) => frame === null)
      .map(({ name, input }) => keyOf(name, input))
      .sort(),
    output: trace.events.findLast((event) => event.type === 'run_end')?.output ?? null,
  };
}

async function recordSteadily(program: Step, path: string, shuffle: Random): Promise<World> {
  for (let attempt = 1; ; attempt++) {
    const world = createWorld(() => shuffle.int(0, LONGEST_LATENCY));
    const timed = measureLateness();
    await record('agent', { output: path, overwrite: true }, () => world.run(program)).catch(() => {});
    world.lateness = Math.max(world.lateness, timed());
    if (isSteady(world) || attempt === ATTEMPTS) return world;
  }
}

/** Whether every timer fired in time, and no wait was over at the moment at which an answer came. */
function isSteady({ lateness, moments, waits }: World): boolean {
  const ends = waits.filter((wait) => isEffective(wait, PHOTO_FINISH)).map(({ to }) => to);
  const answers = moments.filter(({ what }) => what === 'answer').map(({ at }) => at);
  const isClose = (end: number): boolean => answers.some((at) => Math.abs(at - end) < PHOTO_FINISH);
  return ends.length === 0 || (lateness < MOST_LATE_RECORDED && !ends.some(isClose));
}

export interface Played {
  readonly world: World;
  /** null: it never came to an end. */
  readonly report: ReplayReport | null;
}

/** Replays the candidate. A replay that failed on a machine that was starved of time is tried again. */
export async function playTrial(trial: Trial): Promise<Played> {
  for (let attempt = 1; ; attempt++) {
    const played = await playOnce(trial);
    if (faultsOf(trial, played).length === 0 || !isStarved(played) || attempt === REPLAYS) return played;
  }
}

async function playOnce({ path, candidate }: Trial): Promise<Played> {
  const world = createWorld(() => 0);
  const entrypoint = () => record('agent', () => world.run(candidate));
  const timed = measureLateness();
  const report = await orHang(replay(path, entrypoint, { noProgressMs: 1_000 }), HANG_MS);
  world.lateness = Math.max(world.lateness, timed());
  return { world, report };
}

/** @returns ends it, and gives the milliseconds by which the event loop came late, at most */
function measureLateness(): () => number {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  return () => {
    delay.disable();
    return delay.max / 1e6;
  };
}

/** null where nothing came within that time. */
export async function orHang<T>(result: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([result, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the machine had no time for the replay, which upsets the order of what ends within milliseconds. */
export function isStarved({ world }: Played): boolean {
  return world.lateness >= MOST_LATE;
}

/** Whether it would be a false alarm to call the program changed. */
export function isJudged({ mutation, isRacing }: Trial): boolean {
  return mutation === null && !isRacing;
}

const ALARM = 'a false alarm';

export function isAlarm(fault: string): boolean {
  return fault.startsWith(ALARM);
}

/** What a replay did that it must not: the bar. */
export function faultsOf(trial: Trial, { world, report }: Played): readonly string[] {
  if (report === null) return ['hung'];
  const faults: string[] = [];
  if (world.bodies > 0) faults.push(`${world.bodies} bodies ran`);
  const isReported = report.verdict === 'diverged';
  const reparented = reparentedKeys(report);
  const wrong = wrongAnswers(trial.recorded, world, reparented);
  if (wrong.length > 0 && report.ambiguous.length === 0 && !(trial.mutation !== null && isReported)) {
    faults.push(`wrong answers: ${wrong.join('; ')}`);
  }
  if (isJudged(trial) && !isSame(report)) {
    faults.push(`${ALARM}, ${Math.round(world.lateness)} ms late: ${formatReport(report)}`);
  }
  // A call that some recorded body made too is answered from there, and listed.
  const isListed = reparented.length > 0;
  if (trial.mutation !== null && !isReported && !isListed && !isEqual(callsOf(report), trial.expected)) {
    faults.push(`${trial.mutation.what}: other calls, not reported`);
  }
  return faults;
}

/** By tool and the beginning of the input. */
function reparentedKeys({ reparented }: ReplayReport): readonly string[] {
  return reparented.map(({ name, inputPreview }) => `${name} ${inputPreview.replace(/…$/, '')}`);
}

function isSame({ verdict }: ReplayReport): boolean {
  return verdict === 'matched' || verdict === 'reproduced-failure';
}

function callsOf({ calls }: ReplayReport): readonly string[] {
  return calls
    .filter(({ action }) => action === 'substituted')
    .map(({ name, input }) => keyOf(name, input))
    .sort();
}

/**
 * Calls of both runs whose answers differ.
 *
 * @param listed how the keys begin of calls of which the report says that they were answered from elsewhere
 */
export function wrongAnswers(recorded: World, replayed: World, listed: readonly string[] = []): readonly string[] {
  return [...replayed.seen].flatMap(([id, { key, answer }]) => {
    const before = recorded.seen.get(id);
    const isRight =
      before === undefined ||
      before.key !== key ||
      before.answer === answer ||
      listed.some((begin) => key.startsWith(begin));
    return isRight || isRefusal(answer) ? [] : [`${id}: recorded ${before.answer}, got ${answer}`];
  });
}

function isRefusal(answer: string): boolean {
  return answer.startsWith('StepforkError');
}

export function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
