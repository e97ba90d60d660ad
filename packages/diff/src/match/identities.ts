import type { Identity } from '../align/intern.js';
import { isSameStep, type Step, subjectOf } from '../trace/steps.js';
import { fingerprint, mixed, textFingerprint } from '../value/fingerprint.js';
import { identityText } from '../value/identity-text.js';
import { isSameValue } from '../value/same-value.js';

/** Steps are the same call: type, label and what was given. */
export const sameCall: Identity<Step> = {
  fingerprint: (step) => mixed(labelPrint(step), fingerprint(subjectOf(step))),
  isSame: (one, other) => isSameLabel(one, other) && isSameValue(subjectOf(one), subjectOf(other)),
  text: (step) => identityText([step.type, step.label, subjectOf(step)]),
};

/** The same call with the same outcome. */
export const sameStep: Identity<Step> = {
  fingerprint: (step) => mixed(labelPrint(step), fingerprint(step.fields)),
  isSame: isSameStep,
  text: (step) => identityText([step.type, step.label, step.fields]),
};

export const sameLabel: Identity<Step> = {
  fingerprint: labelPrint,
  isSame: isSameLabel,
  text: (step) => JSON.stringify([step.type, step.label]),
};

/** What was given, whoever got it. */
export const sameSubject: Identity<Step> = {
  fingerprint: (step) => fingerprint(subjectOf(step)),
  isSame: (one, other) => one.type === other.type && isSameValue(subjectOf(one), subjectOf(other)),
  text: (step) => identityText([step.type, subjectOf(step)]),
};

function labelPrint({ type, label }: Step): number {
  return mixed(type.length, textFingerprint(label));
}

function isSameLabel(one: Step, other: Step): boolean {
  return one.type === other.type && one.label === other.label;
}
