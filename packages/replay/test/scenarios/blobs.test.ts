import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { asAgent, recordRun } from '../recording.js';

const image = (first: number): Uint8Array => new Uint8Array(40_000).fill(7).fill(first, 0, 1);

const resize = traceTool('resize', async (input: { image: Uint8Array }) => ({
  image: input.image.map((byte) => byte + 1),
}));
const agent = (first: number) => async () => {
  const resized = await resize({ image: image(first) });
  return { size: resized.image.length, image: resized.image };
};

describe('large bytes', () => {
  it('are compared, given back, and compared in the output, though they lie beside the events', async () => {
    const path = await recordRun(agent(1));
    expect(readdirSync(join(path, 'blobs')).length).toBe(2);
    const report = await replay(path, asAgent(agent(1)));
    expect(report).toMatchObject({ verdict: 'matched', output: { size: 40_000 } });
    expect(JSON.stringify(report).length).toBeLessThan(10_000);
  });

  it('that differ in one byte are another input', async () => {
    const report = await replay(await recordRun(agent(1)), asAgent(agent(2)));
    expect(report.divergence).toMatchObject({ code: 'input_changed', differences: [{ path: 'image.blob' }] });
  });

  it('that are missing are refused', async () => {
    const path = await recordRun(agent(1));
    rmSync(join(path, 'blobs'), { recursive: true });
    const report = await replay(path, asAgent(agent(1)));
    expect(report.divergence?.code).toBe('unservable');
  });
});
