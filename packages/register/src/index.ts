export { registered } from './registered.js';
