import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../support/build.js';
import { readPage, steady } from '../support/doc-page.js';
import { createProject, type Project } from '../support/project.js';
import { stepforkWith } from '../support/stepfork.js';

const PAGE = readPage('config.md');

let project: Project;

beforeAll(async () => {
  await ensureBuilt();
  project = createProject(PAGE.files);
  const { runAgent } = (await import(pathToFileURL(project.path('src/agent.ts')).href)) as {
    runAgent: (input: object) => Promise<unknown>;
  };
  const { record } = await project.recorder();
  const run = (agent: string, output: string) =>
    record(agent, { output: project.path(output), input: { order: 'ORD-1' } }, () => runAgent({ order: 'ORD-1' }));
  await run('clock-agent', 'failure.sftrace');
  await run('clock-agent', 'traces/one.sftrace');
  await run('other-agent', 'other.sftrace');
}, 120_000);
afterAll(() => project?.remove());

describe('docs/config.md', () => {
  it.each(PAGE.commands)('prints what is shown: stepfork $line', async ({ line, output, exitCode, setting }) => {
    const [, file, text] = /^([^=]+)=(.*)$/.exec(setting('write') ?? '') ?? [];
    if (file !== undefined && text !== undefined) project.write(file, text);
    const [, name = 'NONE', value] = /^(\w+)=(.*)$/.exec(setting('env') ?? '') ?? [];
    const answer = await stepforkWith({ [name]: value }, project.folder, ...line.split(' '));
    expect(steady(answer.stdout + answer.stderr)).toBe(steady(output));
    expect(answer.exitCode).toBe(exitCode);
  });

  it('shows a configuration of the type that defineConfig asks for', () => {
    const file = project.path('stepfork.config.ts');
    const program = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
      paths: { '@stepfork/cli/config': [new URL('../../src/config.ts', import.meta.url).pathname] },
    });
    const faults = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(faults).toEqual([]);
  });

  it('names every key', async () => {
    const { SCHEMAS } = await import('../support/json-schemas.js');
    const { properties } = SCHEMAS.get('config-1') as { properties: Record<string, object> };
    for (const key of [...Object.keys(properties), 'normalize']) {
      if (key !== '$schema') expect(PAGE.text).toMatch(new RegExp(`\`${key}[\`.]`));
    }
  });
});
