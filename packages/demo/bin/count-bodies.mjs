#!/usr/bin/env node
// Says how many tool and model bodies ran since the last count. Each stand-in service of the examples appends
// a line to its log when its body runs; the log is emptied here.
import { existsSync, readFileSync, rmSync } from 'node:fs';

const log = process.argv[2] ?? 'services.log';
const requests = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
for (const request of requests) console.log(request);
console.log(`tool and model bodies executed: ${requests.length}`);
rmSync(log, { force: true });
