export { instrument } from './instrument.js';
