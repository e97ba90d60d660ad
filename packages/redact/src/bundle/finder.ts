import { formsOf } from '../memory/forms.js';
import { lessonsOf } from '../memory/lessons.js';
import { FormMatcher } from '../memory/matcher.js';

/** Tells whether a value, in any spelling, stands in a text; null for a value that is not looked for. */
export function finderOf(value: string): ((text: string) => boolean) | null {
  const lessons = lessonsOf(value);
  if (lessons.length === 0) return null;
  const matcher = new FormMatcher();
  for (const form of lessons.flatMap(formsOf)) matcher.add(form);
  return (text) => matcher.mayHold(text) && matcher.find(text).next().done !== true;
}
