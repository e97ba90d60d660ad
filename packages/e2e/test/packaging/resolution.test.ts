import { readFileSync } from 'node:fs';
import { checkPackage } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { describe, expect, inject, test } from 'vitest';
import type { PackedPackage } from '../../src/pack.js';
import { openTarball } from '../../src/tarball.js';

const packed = inject('packed').map((each): [string, PackedPackage] => [each.manifest.name, each]);

describe.each(packed)('%s as packed', (_, found) => {
  test('has a manifest with which publint finds no fault', async () => {
    const { buffer, byteOffset, byteLength } = readFileSync(found.file);
    const tarball = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test('has types that agree with what is loaded, however a project resolves its modules', async () => {
    const checked = await checkPackage(openTarball(found));
    const entries = Object.keys(found.manifest.exports ?? {}).filter((entry) => entry !== './package.json');
    expect(checked).toMatchObject({ types: { kind: 'included' }, problems: [] });
    expect(checked.types === false ? [] : Object.keys(checked.entrypoints)).toEqual(expect.arrayContaining(entries));
  });
});
