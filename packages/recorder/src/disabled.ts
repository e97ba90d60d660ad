import process from 'node:process';

/**
 * The kill switch: with `STEPFORK_DISABLED=1` every boundary is the bare call and no run is recorded. Asked for
 * where a function is wrapped and where a run starts, never at a call: without a run, a call costs nothing.
 */
export function isDisabled(): boolean {
  return process.env.STEPFORK_DISABLED === '1';
}
