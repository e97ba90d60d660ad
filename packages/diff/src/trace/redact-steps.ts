import { createRedactor, type RedactOptions } from '@stepfork/redact';
import type { Pair } from '../align/pair.js';
import { isSameStep, type Sides, type Step } from './steps.js';

/**
 * Both runs without their secrets. What one step gives away is looked for in all of them, wherever it stands: the
 * redactor sees everything once to learn, and what it answers the second time counts.
 *
 * @param pairs steps that may be the same on both sides; such a step is shown once, since it teaches no more again
 * @returns null where there is nothing to redact
 */
export function redactSteps({ a, b }: Sides, pairs: readonly Pair[], rules: RedactOptions = {}): Sides | null {
  const redactor = createRedactor(rules);
  const labels = new Set<string>();
  let isClean = true;
  const learn = (step: Step): void => {
    isClean = redactor.redact(step.fields).value === step.fields && isClean;
    labels.add(step.label);
  };
  const known = new Set(pairs.filter((pair) => isSameStep(a[pair.a] as Step, b[pair.b] as Step)).map((pair) => pair.b));
  a.forEach(learn);
  b.filter((_step, index) => !known.has(index)).forEach(learn);
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
