import type { Bench } from './bench.js';
import { diffing } from './benches/diff.js';
import { event } from './benches/event.js';
import { growth } from './benches/growth.js';
import { http } from './benches/http.js';
import { reading } from './benches/read.js';
import { recording } from './benches/record.js';
import { replaying } from './benches/replay.js';
import { weight } from './benches/weight.js';

/** In the order in which they are run and shown. */
export const BENCHES: readonly Bench[] = [event, recording, replaying, http, reading, diffing, growth, weight];
