export { type ScanFinding, scanBundle } from './bundle/scan.js';
export { type ScrubbedBundle, type ScrubOptions, type ScrubPlace, scrubBundle } from './bundle/scrub.js';
