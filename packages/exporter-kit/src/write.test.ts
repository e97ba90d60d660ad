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
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkRendered, writeRendered } from './write.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stepfork write ')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (path: string, text = 'new') => ({ path, text });
const code = (name: string) => expect.objectContaining({ code: name });

describe('writeRendered', () => {
  test('writes every file, making folders on the way, and leaves nothing else', () => {
    const target = join(folder, 'tests', 'unit');
    const written = writeRendered([file('a.test.ts', 'A'), file('data/b.json', 'B')], target);
    expect(written).toEqual([
      { path: join(target, 'a.test.ts'), written: true },
      { path: join(target, 'data', 'b.json'), written: true },
    ]);
    expect(written.map(({ path }) => readFileSync(path, 'utf8'))).toEqual(['A', 'B']);
    expect(readdirSync(target).sort()).toEqual(['a.test.ts', 'data']);
  });

  test('B254 refuses a file that exists, and then writes none of the others', () => {
    writeFileSync(join(folder, 'b.test.ts'), 'old');
    expect(() => writeRendered([file('a.test.ts'), file('b.test.ts')], folder)).toThrow(code('output_exists'));
    expect(existsSync(join(folder, 'a.test.ts'))).toBe(false);
    expect(readFileSync(join(folder, 'b.test.ts'), 'utf8')).toBe('old');
  });

  test('B254 leaves a file alone that is just what it would write', () => {
    writeFileSync(join(folder, 'a.test.ts'), 'new');
    expect(writeRendered([file('a.test.ts')], folder)).toEqual([{ path: join(folder, 'a.test.ts'), written: false }]);
  });

  test('says beforehand what it would refuse, with what would change', () => {
    writeFileSync(join(folder, 'a.test.ts'), 'mine\n');
    expect(() => checkRendered([file('a.test.ts', 'new\n')], folder)).toThrow(
      expect.objectContaining({ code: 'output_exists', details: expect.objectContaining({ diff: '- mine\n+ new\n' }) }),
    );
    checkRendered([file('a.test.ts')], folder, { overwrite: true });
    expect(readFileSync(join(folder, 'a.test.ts'), 'utf8')).toBe('mine\n');
  });

  test('B254 replaces a file when told to', () => {
    writeFileSync(join(folder, 'a.test.ts'), 'old');
    writeRendered([file('a.test.ts')], folder, { overwrite: true });
    expect(readFileSync(join(folder, 'a.test.ts'), 'utf8')).toBe('new');
  });

  test('B254 refuses a folder even when told to overwrite', () => {
    mkdirSync(join(folder, 'a.test.ts'));
    for (const overwrite of [false, true]) {
      expect(() => writeRendered([file('a.test.ts')], folder, { overwrite })).toThrow(code('output_is_directory'));
    }
  });

  test.each(['../a.test.ts', 'x/../../a.test.ts', '/tmp/a.test.ts', '', '.', '..', 'a\0b', 'x/'])(
    'refuses %j, which is no file inside the folder',
    (path) => {
      const inner = join(folder, 'inner');
      expect(() => writeRendered([file('fine.ts'), file(path)], inner, { overwrite: true })).toThrow(
        code('output_outside'),
      );
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('refuses a way out through a linked folder', () => {
    const inner = join(folder, 'inner');
    const outer = join(folder, 'outer');
    mkdirSync(inner);
    mkdirSync(outer);
    symlinkSync(outer, join(inner, 'link'));
    expect(() => writeRendered([file('link/a.test.ts')], inner)).toThrow(code('output_outside'));
    expect(readdirSync(outer)).toEqual([]);
  });

  test('replaces a linked file and leaves what it points to', () => {
    writeFileSync(join(folder, 'precious'), 'old');
    symlinkSync(join(folder, 'precious'), join(folder, 'a.test.ts'));
    expect(() => writeRendered([file('a.test.ts')], folder)).toThrow(code('output_exists'));
    writeRendered([file('a.test.ts')], folder, { overwrite: true });
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('old');
    expect(readFileSync(join(folder, 'a.test.ts'), 'utf8')).toBe('new');
  });

  test('says which file could not be written, and leaves no temporary file', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => writeRendered([file('a.test.ts')], join(folder, 'file'))).toThrow(code('output_unwritable'));
    expect(readdirSync(folder)).toEqual(['file']);
  });
});
