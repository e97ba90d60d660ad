import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTrace, loadTrace, openBundle, sha256, toolCallEvent } from '../../src/index.js';
import { temporaryFolder } from '../support/bundle-files.js';
import { refusal } from '../support/refusal.js';
import { HEADER, sealed, sealedManifest } from '../support/sealed.js';

const aTrace = () => createTrace({ agentName: 'agent', status: 'completed' });

describe('a bundle that is being written', () => {
  it.each<[string, (work: string) => void]>([
    ['events were taken out', (work) => truncateSync(join(work, 'events.jsonl'), 10)],
    ['events were added', (work) => appendFileSync(join(work, 'events.jsonl'), '{}\n')],
    ['its events were removed', (work) => rmSync(join(work, 'events.jsonl'))],
    ['its events are another file', (work) => swap(join(work, 'events.jsonl'))],
    ['its runtime file is another', (work) => swap(join(work, 'runtime.jsonl'))],
    ['a blob was removed', (work) => rmSync(join(work, 'blobs', sha256(Buffer.alloc(20_000))))],
    [
      'it is a link',
      (work) => {
        renameSync(work, `${work}.away`);
        symlinkSync(`${work}.away`, work);
      },
    ],
  ])('is not sealed where %s', (_how, tamper) => {
    const folder = temporaryFolder();
    const path = join(folder, 'run.sftrace');
    const writer = openBundle({ path, manifest: sealedManifest(aTrace()), runtime: HEADER });
    writer.append(sealed(toolCallEvent({ name: 't', input: 1 })));
    writer.putBlob(Buffer.alloc(20_000));
    tamper(writer.workPath);
    expect(refusal(() => writer.finish(sealedManifest(aTrace())))).toMatchObject({ code: 'bundle_changed' });
    writer.close();
    expect(existsSync(path)).toBe(false);
  });

  it('has no line that could not be read again', () => {
    const writer = openBundle({
      path: join(temporaryFolder(), 'run.sftrace'),
      manifest: sealedManifest(aTrace()),
      runtime: HEADER,
    });
    const chunk = { type: 'chunk', call_id: 'c', index: 0, data: 'x'.repeat(64 * 1024 * 1024) } as const;
    const record = { ...chunk, step: 0, order: 0, at_ms: 0, turn: 1 };
    expect(refusal(() => writer.appendRuntime(record))).toMatchObject({ code: 'record_too_large' });
    expect(loadTrace(writer.finish(sealedManifest(aTrace()))).events).toEqual([]);
  });
});

/** The same content in another file. */
function swap(file: string): void {
  const text = readFileSync(file);
  rmSync(file);
  writeFileSync(file, text);
}
