import { connections } from './connections.js';
import { datagrams, names } from './names.js';
import { openBefore } from './open-before.js';
import { processes, workers } from './processes.js';
import { recent, requests } from './requests.js';
import type { WayOutCase } from './way-out-case.js';

export const ways: readonly WayOutCase[] = [
  ...connections,
  ...requests,
  ...openBefore,
  ...datagrams,
  ...names,
  ...processes,
  ...workers,
  ...recent,
];
