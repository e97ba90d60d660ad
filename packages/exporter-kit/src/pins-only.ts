/** What whoever exports without an expectation has to tell the user. */
export const PINS_ONLY_WARNING =
  'no expectation was given, so the test only pins what was recorded, be it right or wrong: state what the agent should have returned with --expect-output <file.json>, or that this is right with --expect-same';

/** The same, for a user who asked for it. */
export const SAME_WARNING = 'the test pins what was recorded, be it right or wrong, as --expect-same asks';
