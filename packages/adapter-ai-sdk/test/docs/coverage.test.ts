import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CLOUDS_UNDER_TEST } from '../clouds/clouds.js';
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

describe('the table of clouds', () => {
  const [, table = ''] =
    /^\| package \| provider \|\n\|-+\|-+\|\n((?:\|.*\n)+)/m.exec(read('../../../../docs/integrations/ai-sdk.md')) ??
    [];

  test('has a row for each package that is held to the laws, with its release and its provider', () => {
    const rows = [...table.matchAll(/^\| `(.*?)` (\S+) \| (.*) \|$/gm)].map(([, name, release, provider = '']) => [
      `${name} ${release}`,
      /^`(.*)`/.exec(provider)?.[1],
    ]);
    expect(rows).toEqual(Object.entries(CLOUDS_UNDER_TEST).map(([name, { provider }]) => [name, provider]));
  });

  test('names the releases that are installed', () => {
    const installed = [
      ['@ai-sdk/amazon-bedrock', '4.0.186'],
      ['@ai-sdk/azure', '3.0.128'],
      ['@ai-sdk/google', '3.0.141'],
      ['@ai-sdk/google-newest', '4.0.121'],
      ['@ai-sdk/openai-compatible', '2.0.92'],
      ['@ai-sdk/openai-compatible-newest', '3.0.92'],
    ].map(([name = '', release]) => {
      const { version } = JSON.parse(read(`../../node_modules/${name}/package.json`)) as { version: string };
      expect([name, version]).toEqual([name, release]);
      return `${name.replace(/-newest$/, '')} ${version}`;
    });
    for (const name of Object.keys(CLOUDS_UNDER_TEST)) expect(installed).toContain(name.replace('/anthropic', ''));
  });
});
