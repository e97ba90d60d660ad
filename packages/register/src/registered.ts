import { register } from './register.js';

/** Whether this process is recorded. To import this is to have it so. */
export const registered: boolean = register();
