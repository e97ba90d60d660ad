import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { must, writeFiles } from '../consumer.js';
import { notifyProject } from '../notify-project.js';
import type { Run } from '../run.js';
import { type Cell, nameOf } from './cell.js';
import { configurationOf } from './configuration.js';
import type { Installed } from './install.js';

const MISMATCH = "behavior mismatch at 'should_notify': expected true, got false";

/**
 * Records the failing agent in a project of this kind, exports the test, and holds it to be red on the bug, green on the
 * fix, and red again on one more call, the test's file being what was exported throughout.
 */
export async function redGreenRed(cell: Cell, { folder, env, bin }: Installed): Promise<void> {
  const { runner, language, modules } = cell;
  const framework = runner.startsWith('vitest') ? 'vitest' : 'jest';
  const cwd = join(folder, nameOf(cell));
  const options = { cwd, env };
  const source = language === 'ts' ? 'ts' : modules === 'esm' ? 'mjs' : 'cjs';
  // vitest itself is an ES module, and so are its tests.
  const file = `notify.test.${framework === 'vitest' && source === 'cjs' ? 'mjs' : source}`;
  const agent = `agent.${source}`;
  const project = notifyProject(language, modules);
  writeFiles(cwd, {
    ...configurationOf(cell),
    'expected.json': project.expected,
    [agent]: project.buggy,
    [`record.${source}`]: project.record,
  });
  await must(0, bin('jiti'), [`record.${source}`], options);
  const exporting = ['export', 'failure.sftrace', '--to', framework, '--entrypoint', `${agent}:notifyAgent`];
  await must(0, bin('stepfork'), [...exporting, '--expect-output', 'expected.json', '--output', file], options);
  const exported = readFileSync(join(cwd, file), 'utf8');

  expect((await tested(1)).output).toContain(MISMATCH);
  writeFiles(cwd, { [agent]: project.fixed });
  await tested(0);
  if (language === 'ts') await typechecks();
  writeFiles(cwd, { [agent]: project.extended });
  const { output } = await tested(1);
  expect(output).toContain("call #1: tool 'order_status'");
  expect(output).toMatch(new RegExp(`called at .*${agent.replace('.', '\\.')}:\\d+`));
  expect(readFileSync(join(cwd, file), 'utf8')).toBe(exported);

  function tested(exit: number): Promise<Run> {
    if (framework === 'vitest') return must(exit, bin('vitest'), ['run'], options);
    const flags = modules === 'esm' ? { NODE_OPTIONS: '--experimental-vm-modules --no-warnings' } : {};
    return must(exit, bin('jest'), [], { cwd, env: { ...env, ...flags } });
  }

  /** `tsc` accepts the file as written, under the strictest settings that a project is likely to have. */
  async function typechecks(): Promise<void> {
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] },
      ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noUnusedLocals: true },
    };
    writeFiles(cwd, { 'tsconfig.strict.json': JSON.stringify({ compilerOptions, files: [file] }) });
    await must(0, bin('tsc'), ['-p', 'tsconfig.strict.json'], options);
  }
}
