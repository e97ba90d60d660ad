/**
 * What to do about a failure of a library that says only what is wrong: a library does not know that its caller sits
 * at a prompt, and which commands there are.
 */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  missing_bundle: 'Give the path of a .sftrace bundle, such as one of those in .stepfork/traces',
  not_a_bundle: 'Give the path of the bundle itself, whose name has that ending',
  missing_file: "Take the bundle from where it was whole, or run 'stepfork recover' on what a killed run left",
  invalid_json: 'Repair it, or take the bundle from where it was whole',
  invalid_manifest: 'Repair it, or take the bundle from where it was whole',
  invalid_event: 'Repair it, or take the bundle from where it was whole',
  invalid_runtime: 'Repair or delete runtime.jsonl, or take the bundle from where it was whole',
  invalid_value: 'Repair it, or use a newer release of Stepfork',
  invalid_pack: 'Take the file from where it was whole',
  unsupported_schema: 'Use a release of Stepfork that knows it',
  event_too_large: 'Record less in one call',
  read_failed: 'Check that it may be read',
  write_failed: 'Check that its folder may be written to, and has room',
  output_exists: 'Move it away, or name another place',
  output_busy: 'Try again when that has ended',
  not_packed: 'Use it as it is',
  not_partial: 'Use the bundle as it is',
  bad_scrub_place: "Run 'stepfork inspect --step <n>' to see the id and the payloads of an event",
  nothing_to_scrub: "Check what was given; 'stepfork inspect --events' shows what is recorded",
  unsound_bundle: "Run 'stepfork validate --verify-integrity' to see all of it",
};

/** Advice that is there already: after a semicolon, in a sentence of its own, or naming an option. */
const ADVISES = /; |\. |\.$| --\w/;

/** A failure's message that also says what to do next. */
export function withNextStep(code: string, message: string): string {
  const next = Object.hasOwn(NEXT_STEPS, code) ? NEXT_STEPS[code] : undefined;
  return next === undefined || ADVISES.test(message) ? message : `${message}. ${next}.`;
}
