import { createTrace, openBundle, runStartEvent, sealEvent, sealManifest } from '../../src/write.js';
import { HEADER } from '../support/sealed.js';

// Writes a bundle, tells where, and finishes it when its input ends.
const { events: _events, runtime: _runtime, ...manifest } = createTrace({ agentName: 'held' });
const sealed = sealManifest(manifest, []);
const writer = openBundle({ path: process.argv[2] as string, manifest: sealed, runtime: HEADER });
writer.append(sealEvent(runStartEvent({ run_id: manifest.run_id }), []));
process.stdout.write(`${writer.workPath}\n`);
process.stdin.on('end', () => writer.finish(sealed)).resume();
