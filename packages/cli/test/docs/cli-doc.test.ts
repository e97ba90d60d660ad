import { cpSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { readPage, steady } from '../support/doc-page.js';
import { createProject, type Project } from '../support/project.js';
import { stepfork } from '../support/stepfork.js';

/** Commands that run the page's agent, and so need a process of their own. */
const RUNS_USER_CODE = /^(?:replay|export) /;

const { text: DOC, files: FILES, commands: COMMANDS } = readPage('cli.md');

let project: Project;

beforeAll(async () => {
  await ensureBuilt();
  project = createProject(FILES);
  project.install('exporter-vitest');
  const agent = (await import(project.path('src/agent.ts'))) as Record<
    'runAgent' | 'fixedAgent',
    (order: object) => Promise<unknown>
  >;
  const { record } = await project.recorder();
  const input = { orderId: 'ORD-1001' };
  await record('notify-agent', { output: project.path('failure.sftrace'), input }, () => agent.runAgent(input));
  await record('notify-agent', { output: project.path('fixed.sftrace'), input }, () => agent.fixedAgent(input));
  const traces = (name: string): string => project.path(`.stepfork/traces/${name}.sftrace`);
  await record('notify-agent', { output: traces('a'), input, tags: { release: '1.4' } }, () => agent.runAgent(input));
  await record('refund-agent', { output: traces('b') }, () => {
    throw new RangeError('no such order');
  }).catch(() => {});
  cpSync(project.path('failure.sftrace'), project.path('old.sftrace'), { recursive: true });
  const events = project.read('old.sftrace/events.jsonl');
  project.write('old.sftrace/events.jsonl', events.replaceAll('FedEx', 'sk-abcdefgh12345678'));
}, 120_000);
afterAll(() => project?.remove());

describe('docs/cli.md', () => {
  it('shows every command', () => {
    for (const command of 'list inspect validate replay diff export scan scrub recover init completion'.split(' ')) {
      expect(DOC).toContain(`\n## ${command}\n`);
    }
    expect(DOC).toContain('\n## pack and unpack\n');
    expect(DOC).toContain('\n## keep and prune\n');
    expect(COMMANDS.length).toBeGreaterThan(10);
  });

  it.each(COMMANDS)('prints what is shown: stepfork $line', async ({ line, output, setting, exitCode }) => {
    // The page names an event of a run that it does not make: the result of that run's tool.
    const [, , third = ''] = project.read('fixed.sftrace/events.jsonl').split('\n');
    const { id } = JSON.parse(third) as { id: string };
    const argv = line
      .replace(/evt_[0-9a-f]{32}/, id)
      .split(' ')
      .filter((word) => word !== '');
    const run = RUNS_USER_CODE.test(line)
      ? stepfork.bind(null, project.folder)
      : commandLineIn(project.folder, setting('stdin'));
    const answer = await run(...argv);
    expect(steady(answer.stdout + answer.stderr)).toBe(steady(output));
    expect(answer.exitCode).toBe(exitCode);
  });
});
