import { type BoundaryHandler, type Frame, slot } from '@stepfork/recorder/boundary';
import { isOfRun } from '@stepfork/recorder/fetch';
import { canonicalJson, encodeValue, sha256 } from '@stepfork/trace-format/write';
import { inputOf } from './input.js';
import { type Callable, isCallable } from './shape.js';

/** Makes the ids of one call of a model. */
type MakeId = () => string;

/** On the frame in which a model is asked: what makes the ids of that call. */
const IDS: unique symbol = Symbol.for('stepfork.ai-sdk.ids/1');
const METHODS = ['doGenerate', 'doStream'] as const;
/** As long as those that the SDK makes. */
const LENGTH = 16;

/**
 * A model makes up ids where its provider gives none (Gemini gives a tool's call none), and they go back to it with the
 * next question. In a run they are made of what was asked, so that they are the same in a replay.
 */
export function makeSameIds(model: object, config: object): void {
  const holders = [model, config].filter((holder) => isCallable(Reflect.get(holder, 'generateId')));
  if (holders.length === 0) return;
  for (const holder of holders) giveOfCall(holder);
  for (const method of METHODS) {
    const ask: unknown = Reflect.get(model, method);
    if (!isCallable(ask)) continue;
    Object.defineProperty(model, method, { value: inCall(method, ask), writable: true, configurable: true });
  }
}

/** Read where a call begins, and used until its stream ends: what is read has to know its call. */
function giveOfCall(holder: object): void {
  const before: unknown = Reflect.get(holder, 'generateId');
  const get = (): unknown => (slot().frames.getStore() as AskingFrame | undefined)?.[IDS] ?? before;
  Object.defineProperty(holder, 'generateId', { get, enumerable: true, configurable: true });
}

interface AskingFrame extends Frame {
  readonly [IDS]?: MakeId;
}

function inCall(method: string, ask: Callable): Callable {
  return function (this: unknown, options) {
    const really = (): unknown => Reflect.apply(ask, this, [options]);
    const frame = slot().frames.getStore();
    if (frame === undefined || !isOfRun()) return really();
    const { handler, call } = frame;
    const asking: AskingFrame = { handler, call, parent: frame, [IDS]: idsOf(method, options, handler) };
    return slot().frames.run(asking, really);
  };
}

function idsOf(method: string, options: unknown, handler: BoundaryHandler): MakeId {
  let seed: string | null = null;
  let count = 0;
  return () => {
    seed ??= seedOf(method, options, handler);
    return sha256(`${seed}/${count++}`).slice(0, LENGTH);
  };
}

/** How often a run has asked for ids of the very same question. */
const asked = new WeakMap<BoundaryHandler, Map<string, number>>();

function seedOf(method: string, options: unknown, handler: BoundaryHandler): string {
  const question = sha256(canonicalJson(encodeValue(inputOf(method, options)).json));
  const counts = asked.get(handler) ?? new Map<string, number>();
  const times = counts.get(question) ?? 0;
  asked.set(handler, counts.set(question, times + 1));
  return `${question}/${times}`;
}
