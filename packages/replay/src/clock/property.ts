import { createReplacements } from '@stepfork/recorder/boundary';

export type { Undo } from '@stepfork/recorder/boundary';

/** What the clock of a replay puts in place. */
export const { replaceProperty, replaceMethod, replaceClass } = createReplacements();
