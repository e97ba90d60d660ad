import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { packBundle, validateBundle } from '@stepfork/trace-format';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { traceDigest } from '../project/trace-digest.js';
import { exemptFromGit } from './git-attributes.js';
import { checkTrace, keepTrace } from './keep-trace.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stepfork keep ')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const code = (name: string) => expect.objectContaining({ code: name });

async function recorded(name: string, answer: string): Promise<string> {
  const output = join(folder, name);
  await record('agent', { output, input: null }, async () => answer);
  return output;
}

describe('keepTrace', () => {
  test('packs a bundle into one sealed file that holds the same, and leaves nothing else', async () => {
    const from = await recorded('a.sftrace', 'one');
    const to = join(folder, 'tests', '__traces__', 'a.sftrace');
    expect(keepTrace({ from, to })).toEqual({ path: to, written: true });
    expect(readdirSync(join(folder, 'tests', '__traces__'))).toEqual(['a.sftrace']);
    expect(traceDigest(to)).toBe(traceDigest(from));
    expect(validateBundle(to, { verifyIntegrity: true })).toMatchObject({ valid: true, integrity: 'verified' });
  });

  test('copies a packed file as it is, and leaves alone what holds the same already', async () => {
    const from = packBundle(await recorded('a.sftrace', 'one'));
    const to = join(folder, 'b.sftrace');
    keepTrace({ from, to });
    expect(readFileSync(to)).toEqual(readFileSync(from));
    expect(keepTrace({ from, to })).toEqual({ path: to, written: false });
    expect(keepTrace({ from: to, to })).toEqual({ path: to, written: false });
  });

  test('replaces no other recording unless told to, and never a folder', async () => {
    const [from, other] = [await recorded('a.sftrace', 'one'), await recorded('b.sftrace', 'two')];
    const to = packBundle(other);
    expect(() => checkTrace({ from, to })).toThrow(code('output_exists'));
    expect(() => keepTrace({ from, to })).toThrow(code('output_exists'));
    keepTrace({ from, to }, { overwrite: true });
    expect(traceDigest(to)).toBe(traceDigest(from));
    expect(() => keepTrace({ from, to: other }, { overwrite: true })).toThrow(code('output_is_directory'));
  });

  test('says so where it cannot write, and leaves nothing behind', async () => {
    const from = await recorded('a.sftrace', 'one');
    writeFileSync(join(folder, 'file'), '');
    expect(() => keepTrace({ from, to: join(folder, 'file', 'a.sftrace') })).toThrow(code('output_unwritable'));
    expect(readdirSync(folder).sort()).toEqual(['a.sftrace', 'file']);
  });
});

describe('exemptFromGit', () => {
  const at = (...path: string[]) => join(folder, ...path);

  test('leaves a link alone, and what it leads to', () => {
    writeFileSync(at('others'), '*.png binary\n');
    symlinkSync(at('others'), at('.gitattributes'));
    expect(exemptFromGit(folder)).toBeNull();
    expect(readFileSync(at('others'), 'utf8')).toBe('*.png binary\n');
  });

  test('adds one line, once, to what is there', () => {
    writeFileSync(at('.gitattributes'), '*.png binary');
    expect(exemptFromGit(folder)).toBe(at('.gitattributes'));
    expect(exemptFromGit(folder)).toBeNull();
    expect(readFileSync(at('.gitattributes'), 'utf8')).toBe('*.png binary\n*.sftrace -text\n');
  });

  test.each(['*.sftrace -text\n', '# ours\n*.sftrace  diff  -text\r\n', '**/*.sftrace binary # data\n'])(
    'adds nothing where a folder above says so: %j',
    (text) => {
      mkdirSync(at('.git'));
      mkdirSync(at('tests'));
      writeFileSync(at('.gitattributes'), text);
      expect(exemptFromGit(at('tests'))).toBeNull();
      expect(existsSync(at('tests', '.gitattributes'))).toBe(false);
    },
  );

  test('does not look beyond the repository, and is not taken in by another line', () => {
    mkdirSync(at('repository', '.git'), { recursive: true });
    writeFileSync(at('.gitattributes'), '*.sftrace -text\n');
    writeFileSync(at('repository', '.gitattributes'), '# *.sftrace -text\n*.sftrace text\n');
    exemptFromGit(at('repository'));
    expect(readFileSync(at('repository', '.gitattributes'), 'utf8')).toBe(
      '# *.sftrace -text\n*.sftrace text\n*.sftrace -text\n',
    );
  });
});
