export { play } from './play.js';
export type { Story } from './story.js';
