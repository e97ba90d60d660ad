/** A character that must not reach a terminal from a trace: a control other than the line feed, or a bidi control. */
export const DRIVES_TERMINAL = /(?!\n)\p{Cc}|\p{Bidi_Control}|[\u2028\u2029\ufeff]/u;
