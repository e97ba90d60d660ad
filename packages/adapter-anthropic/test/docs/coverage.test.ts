import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SDKS } from '../conformance/sdks.js';
import { anthropicUnderTest } from '../conformance/under-test.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the table of what replays', () => {
  const [, versions = '', table = ''] =
    /^\| with `@anthropic-ai\/sdk` (.*?): .*\n\|-+\|\n((?:\|.*\n)+)/m.exec(
      read('../../../../docs/integrations/anthropic.md'),
    ) ?? [];

  test('has a row for each API that the conformance suite uses, and no other', () => {
    const [sdk] = Object.values(SDKS);
    const { apis } = anthropicUnderTest(sdk as NonNullable<typeof sdk>);
    expect([...table.matchAll(/^\| (.*?) \|/gm)].map(([, api = '']) => api.replaceAll('`', ''))).toEqual(
      Object.keys(apis),
    );
  });

  test('names the releases that the suite is run with', () => {
    expect(versions.split(/, | and /)).toEqual(Object.keys(SDKS));
    const installed = ['anthropic-oldest', '@anthropic-ai/sdk'].map(
      (name) => (JSON.parse(read(`../../node_modules/${name}/package.json`)) as { version: string }).version,
    );
    expect(installed).toEqual(Object.keys(SDKS));
  });

  test('is followed by the release of the client for Vertex that is held to the same', () => {
    const { version } = JSON.parse(read('../../node_modules/@anthropic-ai/vertex-sdk/package.json')) as {
      version: string;
    };
    expect(read('../../../../docs/integrations/anthropic.md')).toContain(
      `\`@anthropic-ai/vertex-sdk\` ${version} is held`,
    );
  });
});
