import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { must, writeFiles } from '../src/consumer.js';
import { stepfork } from '../src/run.js';
import { remove, temporaryFolder } from '../src/temporary-folder.js';

const TRIAGE = fileURLToPath(new URL('../fixtures/triage.mjs', import.meta.url));

const cwd = temporaryFolder('bad input');
const GOOD = ['--entrypoint', `${TRIAGE}:recorded`];

beforeAll(async () => {
  await must(0, process.execPath, [TRIAGE, 'good.sftrace', 'recorded'], { cwd });
  const variant = (name: string, file: string, change: (text: string) => string): void => {
    cpSync(join(cwd, 'good.sftrace'), join(cwd, `${name}.sftrace`), { recursive: true });
    const path = join(cwd, `${name}.sftrace`, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  };
  variant('torn', 'events.jsonl', (text) => text.replace('"tool_result"', '"tool_result'));
  variant('newer', 'manifest.json', (text) => text.replace(/"schema_version":\s*"0\.1"/, '"schema_version": "7.3"'));
  writeFiles(cwd, {
    'folder/file.txt': 'not a bundle',
    'throws.mjs': "throw new TypeError('no database here');\n",
    'value.mjs': 'export const agent = 42;\n',
    'half.json': '{ "severity": ',
    'there.test.ts': '// written by a person\n',
  });
  mkdirSync(join(cwd, 'empty.sftrace'));
});
afterAll(() => remove(cwd));

describe.each<[what: string, args: readonly string[], exit: number, named: readonly string[]]>([
  ['a missing bundle', ['validate', 'absent.sftrace'], 2, ['absent.sftrace']],
  ['a path that is no bundle', ['inspect', 'folder'], 2, ['folder', '.sftrace']],
  ['an empty bundle', ['inspect', 'empty.sftrace'], 2, ['manifest.json']],
  ['broken JSON', ['inspect', 'torn.sftrace'], 2, ['events.jsonl', '3']],
  ['an unsupported schema', ['diff', 'good.sftrace', 'newer.sftrace'], 2, ['7.3', '0.1']],
  ['an entrypoint without an export', ['replay', 'good.sftrace', '--entrypoint', 'value.mjs'], 2, ['value.mjs']],
  ['a missing entrypoint file', ['replay', 'good.sftrace', '--entrypoint', 'gone.mjs:agent'], 2, ['gone.mjs']],
  ['a missing export', ['replay', 'good.sftrace', '--entrypoint', `${TRIAGE}:nobody`], 2, ['nobody']],
  ['an entrypoint that is no function', ['replay', 'good.sftrace', '--entrypoint', 'value.mjs:agent'], 2, ['agent']],
  [
    'an entrypoint that throws',
    ['replay', 'good.sftrace', '--entrypoint', 'throws.mjs:agent'],
    2,
    ['no database here'],
  ],
  [
    'an expectation that is not JSON',
    ['replay', 'good.sftrace', ...GOOD, '--expect-output', 'half.json'],
    2,
    ['half.json'],
  ],
  ['a missing expectation', ['replay', 'good.sftrace', ...GOOD, '--expect-output', 'no.json'], 2, ['no.json']],
  ['an unknown exporter', ['export', 'good.sftrace', '--to', 'mocha', ...GOOD], 2, ['mocha']],
  ['a mode that does not exist', ['replay', 'good.sftrace', ...GOOD, '--mode', 'thawed'], 2, ['thawed']],
  ['an unknown command', ['replai', 'good.sftrace'], 2, ['replay']],
  [
    'an output that exists',
    ['export', 'good.sftrace', '--to', 'vitest', ...GOOD, '--output', 'there.test.ts'],
    1,
    ['there.test.ts', '--overwrite'],
  ],
])('%s', (_what, args, exit, named) => {
  test('is refused in one line that names it, and nothing is written', async () => {
    const refused = await stepfork(args, { cwd });
    expect(refused.exit, refused.output).toBe(exit);
    for (const name of named) expect(refused.stderr).toContain(name);
    expect(refused.stderr.trimEnd().split('\n'), refused.stderr).toHaveLength(1);
    expect(readFileSync(join(cwd, 'there.test.ts'), 'utf8')).toBe('// written by a person\n');
    expect(
      existsSync(join(cwd, 'bodies.log')) && readFileSync(join(cwd, 'bodies.log'), 'utf8').split('\n').length,
    ).toBe(5);
  });
});
