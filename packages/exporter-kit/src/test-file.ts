import { basename } from 'node:path';
import type { RenderTarget } from './case.js';
import type { Exporter } from './exporter.js';

/** Names that Windows keeps for devices, whatever their suffix. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
const MAX_LENGTH = 80;

/**
 * Name of the test file where the user gave none, for the current folder: the bundle's stem without the run id that
 * the recorder puts in default names, then the exporter's suffix. `notify-agent.test.ts`.
 */
export function defaultTestFile(
  tracePath: string,
  exporter: Pick<Exporter, 'fileSuffix'>,
  target: RenderTarget,
): string {
  const stem = basename(tracePath)
    .replace(/\.sftrace$/, '')
    .replace(/[-_.]?run_[0-9a-f]{8,}$/, '')
    .replace(/[^\p{L}\p{N}_.-]+/gu, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^[-_.]+|[-_.]+$/g, '');
  const name = stem === '' || DEVICE.test(stem) ? `agent${stem === '' ? '' : `-${stem}`}` : stem;
  return `${name}${exporter.fileSuffix(target)}`;
}
