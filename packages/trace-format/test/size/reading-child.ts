import { readEvents, validateBundle } from '../../src/index.js';

// Reads a bundle twice, and tells what it found and the most memory it ever had.
const path = process.argv[2] as string;
const { valid, integrity } = validateBundle(path, { verifyIntegrity: true });
let events = 0;
for await (const _event of readEvents(path)) events++;
const rssMb = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ valid, integrity, events, rssMb }));
