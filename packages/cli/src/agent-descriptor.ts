/** The number under which the process that runs the user's code finds our stdout; its own is our stderr. */
export const RESULTS_DESCRIPTOR = 3;
