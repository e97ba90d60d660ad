/** Deepest nesting of JSON that is read or hashed: the recursion below it cannot exhaust the stack. */
export const MAX_JSON_DEPTH = 1000;

/** Python's own limit for the digits of an integer; beyond it the original's reader fails. */
export const MAX_INTEGER_DIGITS = 4300;
