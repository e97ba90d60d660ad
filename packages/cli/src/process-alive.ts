import { isSystemError } from './exit-code.js';

/** Whether there is such a process, of whomever. */
export function isAlive(pid: number): boolean {
  try {
    // Signal 0 reaches nobody, and fails where there is nobody to be reached.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isSystemError(error) && error.code === 'EPERM';
  }
}
