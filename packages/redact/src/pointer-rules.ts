import { parsePointer } from '@stepfork/trace-format/write';

/** Where a pointer rule may still lead, from one place of a value. */
export interface PointerStep {
  readonly next: Map<string, PointerStep>;
  ends: boolean;
}

/** Places that pointer rules may still lead to; null when there is none, so that a walk need not look. */
export type PointerSteps = readonly PointerStep[] | null;

/** Stands for any key or index. */
const ANY = '*';

/** One tree of all pointers; null for none. Answers the first pointer that is none, if there is one. */
export function compilePointers(pointers: readonly string[]): {
  readonly root: PointerSteps;
  readonly bad: string | null;
} {
  if (pointers.length === 0) return { root: null, bad: null };
  const root = newStep();
  for (const pointer of pointers) {
    const keys = typeof pointer === 'string' ? parsePointer(pointer) : null;
    if (keys === null) return { root: null, bad: pointer };
    let step = root;
    for (const key of keys) {
      const next = step.next.get(key) ?? newStep();
      step.next.set(key, next);
      step = next;
    }
    step.ends = true;
  }
  return { root: [root], bad: null };
}

function newStep(): PointerStep {
  return { next: new Map(), ends: false };
}

/** The steps below a key or index. */
export function stepInto(steps: PointerSteps, segment: string | number): PointerSteps {
  if (steps === null) return null;
  const key = String(segment);
  const below: PointerStep[] = [];
  for (const { next } of steps) {
    const exact = next.get(key);
    const any = key === ANY ? undefined : next.get(ANY);
    if (exact !== undefined) below.push(exact);
    if (any !== undefined) below.push(any);
  }
  return below.length === 0 ? null : below;
}

/** Whether a pointer ends here. */
export function endsHere(steps: PointerSteps): boolean {
  return steps?.some((step) => step.ends) === true;
}
