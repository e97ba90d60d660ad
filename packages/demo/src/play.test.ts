import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acts } from './acts.js';
import { runCommand } from './command.js';
import { keep, stage } from './layout.js';
import { faultOf } from './play.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepfork demo '));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

describe('a step', () => {
  const step = { command: ['stepfork', 'validate'] as const, exit: 1, shows: ['mismatch'] };

  test('is done when it exits and prints as it should, in colour or not', () => {
    expect(faultOf(step, { exit: 1, output: 'mis\u001b[31mmatch\u001b[0m' })).toBeNull();
  });

  test('that exits otherwise, is killed, or prints something else is a fault', () => {
    expect(faultOf(step, { exit: 0, output: 'mismatch' })).toBe('should exit 1 and exited 0');
    expect(faultOf(step, { exit: null, output: 'mismatch' })).toBe('should exit 1 and exited null');
    expect(faultOf(step, { exit: 1, output: 'all well' })).toBe("should print 'mismatch'");
  });
});

describe('a command', () => {
  test('is found in the packages above the folder; its lines come whole, its exit code too', async () => {
    write('node_modules/teller/package.json', '{ "bin": { "teller": "tell.mjs" } }');
    write(
      'node_modules/teller/tell.mjs',
      `process.stdout.write('one\\ntw'); process.stdout.write('o\\n' + process.argv.slice(2)); process.exitCode = 3;`,
    );
    write('deep/er/file', '');
    const lines: string[] = [];
    const outcome = await runCommand(['teller', 'a b'], {
      cwd: join(folder, 'deep/er'),
      colour: false,
      onLine: (line) => lines.push(line),
    });
    expect(outcome.exit).toBe(3);
    expect(lines).toEqual(['one', 'two', 'a b']);
  });

  test('of a package that is not installed is refused by name', async () => {
    const absent = async () => runCommand(['nobody-has-this'], { cwd: folder, colour: false, onLine: () => undefined });
    await expect(absent()).rejects.toThrow("'nobody-has-this' is not installed");
  });
});

describe('the stage', () => {
  beforeEach(() => {
    for (const file of ['expected.json', 'vitest.config.ts', 'jest.config.mjs']) write(file, '');
    write('src/agent.ts', 'fixed');
    write('src/agent.buggy.ts', 'buggy');
    write('tests/vitest/x.test.ts', 'committed');
    write('traces/failure.sftrace/manifest.json', 'committed');
  });

  test('holds the buggy agent under the name that tests import, and neither trace nor tests', () => {
    write('.demo/left-over', '');
    const copy = stage(folder);
    expect(readFileSync(join(copy, 'src/agent.ts'), 'utf8')).toBe('buggy');
    expect(readdirSync(copy).sort()).toEqual(['expected.json', 'jest.config.mjs', 'src', 'vitest.config.ts']);
    expect(readFileSync(join(folder, 'src/agent.ts'), 'utf8')).toBe('fixed');
  });

  test('gives its trace and tests to the example when they are to be kept', () => {
    stage(folder);
    write('.demo/tests/vitest/y.test.ts', 'new');
    write('.demo/traces/failure.sftrace/manifest.json', 'new');
    keep(folder);
    expect(readdirSync(join(folder, 'tests/vitest'))).toEqual(['y.test.ts']);
    expect(readFileSync(join(folder, 'traces/failure.sftrace/manifest.json'), 'utf8')).toBe('new');
  });
});

test('every act has a command that proves it, and both frameworks go red before they go green', () => {
  const story = { folder, title: '', plot: '', entrypoint: 'src/agent.ts:a', testName: 'a', calls: 1, mismatch: 'm' };
  const steps = acts(story).flatMap((act) => act.steps);
  expect(acts(story).every((act) => act.steps.length > 0)).toBe(true);
  for (const framework of ['vitest', 'jest']) {
    const runs = steps.filter(({ command }) => command[0] === framework);
    expect(runs.map(({ exit }) => exit)).toEqual([1, 0]);
    expect(runs[0]?.shows).toContain('m');
  }
});
