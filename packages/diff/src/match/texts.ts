import { type Step, subjectOf } from '../trace/steps.js';
import { identityText } from '../value/identity-text.js';

/** Text that two steps share exactly when they are the same call: type, label and what was given. */
export function callText(step: Step): string {
  return identityText([step.type, step.label, subjectOf(step)]);
}

/** The same call with the same outcome. */
export function stepText(step: Step): string {
  return identityText([step.type, step.label, step.fields]);
}

export function labelText(step: Step): string {
  return JSON.stringify([step.type, step.label]);
}

/** What was given, whoever got it. */
export function subjectText(step: Step): string {
  return identityText([step.type, subjectOf(step)]);
}
