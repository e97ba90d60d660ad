import { displayText, type Json, parsePointer, StepforkError } from '@stepfork/trace-format/write';
import { type Place, without } from './places.js';
import { type NamedCall, parseSelector, type Selector } from './selector.js';

/** JSON Pointers, from the root of a call's input, by the calls that they are about. */
export type PlacesByCall = Readonly<Record<string, readonly string[]>>;

/** What of a call's input is compared. */
export type ComparedInput = (call: NamedCall, input: Json) => Json;

interface Rule {
  readonly isAbout: Selector;
  readonly places: readonly Place[];
}

/** @throws StepforkError `bad_option` for a rule that is none */
export function comparedInput(ignore: PlacesByCall): ComparedInput {
  const rules = Object.entries(ignore).map(([call, pointers]) => toRule(call, pointers));
  return (call, input) => {
    let rest = input;
    for (const { isAbout, places } of rules) {
      if (isAbout(call)) rest = places.reduce((left, place) => without(left, place).value, rest);
    }
    return rest;
  };
}

function toRule(call: string, pointers: readonly string[]): Rule {
  const isAbout = parseSelector(call);
  if (isAbout === null) {
    const examples = "'tool:search', 'llm:openai/gpt-4o' or 'llm:*'";
    throw badOption(`option ignore names '${displayText(call)}'; a call is named like ${examples}`);
  }
  const places = Array.isArray(pointers) ? pointers.map((pointer) => parsePointer(String(pointer))) : [null];
  if (places.every((place) => place !== null)) return { isAbout, places };
  throw badOption(`option ignore needs a list of JSON Pointers (['/messages/0/id']) for '${displayText(call)}'`);
}

const badOption = (message: string): StepforkError =>
  new StepforkError('bad_option', message, { details: { option: 'ignore' } });
