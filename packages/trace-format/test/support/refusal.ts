import { isStepforkError } from '../../src/write.js';

/** The code and details of the StepforkError that an action throws, or null when it throws nothing. */
export function refusal(
  action: () => unknown,
): { code: string; message: string; details: Readonly<Record<string, unknown>> } | null {
  try {
    action();
    return null;
  } catch (error) {
    if (!isStepforkError(error)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
}
