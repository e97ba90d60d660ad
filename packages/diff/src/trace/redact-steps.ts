import { createRedactor, type RedactOptions } from '@stepfork/redact';
import type { Pair } from '../align/pair.js';
import type { Flags } from './same-steps.js';
import type { Sides, Step } from './steps.js';

/** Counterparts, and which of them are the same: such a step is shown once, since it teaches no more again. */
interface Counterparts {
  readonly spine: readonly Pair[];
  readonly same: Flags;
}

/**
 * Both runs without their secrets. What one step gives away is looked for in all of them, wherever it stands: the
 * redactor sees everything once to learn, and what it answers the second time counts.
 *
 * @returns null where there is nothing to redact
 */
export function redactSteps({ a, b }: Sides, { spine, same }: Counterparts, rules: RedactOptions = {}): Sides | null {
  const redactor = createRedactor(rules);
  const labels = new Set<string>();
  let isClean = true;
  const learn = (step: Step): void => {
    isClean = redactor.redact(step.fields).value === step.fields && isClean;
    labels.add(step.label);
  };
  const known = new Uint8Array(b.length);
  for (let at = 0; at < spine.length; at++) known[(spine[at] as Pair).b] = same[at] as number;
  a.forEach(learn);
  b.forEach((step, index) => {
    if (known[index] === 0) learn(step);
  });
  for (const label of labels) isClean = redactor.redact(label).value === label && isClean;
  if (isClean) return null;

  const names = new Map([...labels].map((label) => [label, redactor.redact(label).value as string]));
  const redacted = (step: Step): Step => ({
    ...step,
    label: names.get(step.label) as string,
    fields: redactor.redact(step.fields).value as Step['fields'],
  });
  return { a: a.map(redacted), b: b.map(redacted) };
}
