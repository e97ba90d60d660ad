import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../support/agents.js';
import { RELEASES } from '../support/releases.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the table of what replays', () => {
  const [, versions = '', table = ''] =
    /^\| with `ai` (.*?): .*\n\|-+\|\n((?:\|.*\n)+)/m.exec(read('../../../../docs/integrations/ai-sdk.md')) ?? [];

  test('has a row for each API that the conformance suite uses, and no other', () => {
    expect([...table.matchAll(/^\| (.*?) \|/gm)].map(([, api = '']) => api.replaceAll('`', ''))).toEqual(
      Object.keys(AGENTS),
    );
  });

  test('names the releases that the suite is run with', () => {
    expect(versions.split(/, | and /)).toEqual(Object.keys(RELEASES));
    const installed = ['ai-oldest', 'ai', 'ai-newest'].map(
      (name) => (JSON.parse(read(`../../node_modules/${name}/package.json`)) as { version: string }).version,
    );
    expect(installed).toEqual(Object.keys(RELEASES));
  });
});
