import type { Call, Step } from './program.js';
import type { Random } from './random.js';

export interface Mutation {
  readonly program: Step;
  /** For a person. */
  readonly what: string;
}

/** One random change of the agent's own code; bodies of instrumented functions stay as they are. */
export function mutate(program: Step, random: Random): Mutation {
  for (;;) {
    const target = random.pick(nodesOf(program));
    const changed = change(target, random);
    if (changed !== null) return { program: replace(program, target, changed.step), what: changed.what };
  }
}

interface Change {
  readonly step: Step;
  readonly what: string;
}

function change(step: Step, random: Random): Change | null {
  switch (step.type) {
    case 'call':
      return changeCall(step, random);
    case 'stream':
      return random.chance(0.5)
        ? { step: { ...step, reads: random.int(0, 5), stops: 'cancels' }, what: 'read for another length' }
        : { step: { ...step, input: 1 + (step.input % 5) }, what: 'another stream' };
    case 'seq':
      return changeList(step, random) ?? { step: { ...step, type: 'all' }, what: 'parallelised' };
    case 'all':
    case 'settled':
      return changeList(step, random) ?? { step: { ...step, type: 'seq' }, what: 'serialised' };
    case 'race':
    case 'any':
      return changeList(step, random);
    case 'wait':
      return { step: { ...step, ms: random.int(1, 90) }, what: 'another wait' };
    case 'timeout':
      return random.chance(0.5)
        ? { step: { ...step, ms: random.int(1, 90) }, what: 'another timeout' }
        : { step: step.step, what: 'no timeout' };
    case 'retry':
      return { step: { ...step, attempts: random.int(1, 2) }, what: 'fewer attempts' };
    case 'poll':
      return { step: { ...step, times: step.times + random.pick([-1, 1]) }, what: 'another number of polls' };
    case 'branch':
      return { step: { ...step, arms: [step.arms[1], step.arms[0]] }, what: 'swapped arms' };
    case 'background':
      return { step: step.step, what: 'awaited' };
  }
}

function changeCall(call: Call, random: Random): Change {
  const [name] = call.tool.split('-');
  return random.chance(0.6)
    ? {
        step: { ...call, input: random.pick([1, 2, 3, 4, 5, 6].filter((each) => each !== call.input)) },
        what: 'another input',
      }
    : { step: { ...call, tool: `${name}-${call.tool.endsWith('1') ? 2 : 1}` }, what: 'another tool' };
}

type List = Extract<Step, { readonly steps: readonly Step[] }>;

function changeList(list: List, random: Random): Change | null {
  const steps = [...list.steps];
  const at = random.int(0, steps.length - 1);
  const kind = random.pick(['drop', 'add', 'swap', 'order'] as const);
  if (kind === 'drop' && steps.length > 1) {
    steps.splice(at, 1);
    return { step: { ...list, steps }, what: 'dropped a step' };
  }
  if (kind === 'add') {
    steps.splice(at, 0, addedCall(random));
    return { step: { ...list, steps }, what: 'added a call' };
  }
  if (kind === 'swap' && at > 0) {
    [steps[at - 1], steps[at]] = [steps[at] as Step, steps[at - 1] as Step];
    return { step: { ...list, steps }, what: 'swapped two steps' };
  }
  return null;
}

function addedCall(random: Random): Call {
  const form = random.pick(['async', 'promise', 'sync', 'llm'] as const);
  return {
    type: 'call',
    site: `added${random.int(0, 9)}`,
    form,
    tool: `${form}-${random.int(1, 2)}`,
    input: random.int(1, 5),
    remembers: false,
    failures: 0,
    isInstant: false,
    hangs: false,
    body: null,
  };
}

/** Every step of the agent's own code. */
export function nodesOf(step: Step): readonly Step[] {
  return [step, ...childrenOf(step).flatMap(nodesOf)];
}

export function childrenOf(step: Step): readonly Step[] {
  switch (step.type) {
    case 'call':
    case 'wait':
      return [];
    case 'retry':
    case 'poll':
      return [];
    case 'stream':
      return step.each === null ? [] : [step.each];
    case 'timeout':
    case 'background':
      return [step.step];
    case 'branch':
      return [step.step, ...step.arms];
    default:
      return step.steps;
  }
}

function replace(step: Step, target: Step, by: Step): Step {
  if (step === target) return by;
  const inside = (each: Step): Step => replace(each, target, by);
  switch (step.type) {
    case 'call':
    case 'wait':
    case 'retry':
    case 'poll':
      return step;
    case 'stream':
      return { ...step, each: step.each === null ? null : inside(step.each) };
    case 'timeout':
    case 'background':
      return { ...step, step: inside(step.step) };
    case 'branch':
      return { ...step, step: inside(step.step), arms: [inside(step.arms[0]), inside(step.arms[1])] };
    default:
      return { ...step, steps: step.steps.map(inside) };
  }
}
