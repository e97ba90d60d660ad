import { Patches, refreshImports } from './patches.js';
import { patchChildProcess } from './ways/child-process.js';
import { patchDgram } from './ways/dgram.js';
import { patchDns } from './ways/dns.js';
import { patchGlobals } from './ways/globals.js';
import { patchHttpAgent } from './ways/http-agent.js';
import { patchHttp2 } from './ways/http2.js';
import { patchSocket } from './ways/socket.js';
import { patchUndici } from './ways/undici.js';
import { patchWorker } from './ways/worker.js';

const WAYS = [
  patchSocket,
  patchHttpAgent,
  patchHttp2,
  patchUndici,
  patchDgram,
  patchDns,
  patchChildProcess,
  patchWorker,
  patchGlobals,
];

/** Patches every way out that can be, for all runs of the process. */
export function patchNode(): { readonly undo: () => void; readonly unwatched: readonly string[] } {
  const patches = new Patches();
  for (const patch of WAYS) patch(patches);
  refreshImports();
  const undo = (): void => {
    patches.undo();
    refreshImports();
  };
  return { undo, unwatched: patches.unwatched };
}
