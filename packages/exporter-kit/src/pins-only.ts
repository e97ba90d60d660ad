/** What whoever exports without an expectation has to tell the user. */
export const PINS_ONLY_WARNING =
  'no expectation was given, so the test only pins what was recorded, be it right or wrong: state what the agent should have returned with --expect-output <file.json>';
