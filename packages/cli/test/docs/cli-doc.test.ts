import { cpSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { createProject, type Project } from '../support/project.js';
import { stepfork } from '../support/stepfork.js';

/** Commands that run the page's agent, and so need a process of their own. */
const RUNS_USER_CODE = /^(?:replay|export) /;

const DOC = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');

interface Block {
  readonly language: string;
  readonly settings: string;
  readonly text: string;
}

const BLOCKS: readonly Block[] = Array.from(DOC.matchAll(/^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm), (match) => {
  const [, language = '', settings = '', text = ''] = match;
  return { language, settings, text };
});

const FILES = BLOCKS.flatMap(({ settings, text }) => {
  const name = /title="([^"]+)"/.exec(settings)?.[1];
  return name === undefined ? [] : [[name, text] as const];
});

const COMMANDS = BLOCKS.filter(({ language }) => language === 'console').map(({ settings, text }) => {
  const [line = '', ...output] = text.split('\n');
  return {
    line: line.replace(/^\$ npx stepfork ?/, ''),
    output: output.join('\n'),
    stdin: /stdin="([^"]+)"/.exec(settings)?.[1],
    exitCode: Number(/exit=(\d+)/.exec(settings)?.[1] ?? 0),
  };
});

/** What differs from run to run, made the same. */
function steady(text: string): string {
  return text
    .replace(/\b(run|evt)_[0-9a-f]{32}\b/g, '$1_…')
    .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replace(/\[[0-9a-f]{12}…\]/g, '[<hash>]')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/\b\d+ ms\b/g, '<ms>')
    .replace(/"duration_ms": \d+/g, '"duration_ms": <ms>')
    .replace(/"size_bytes": \d+/g, '"size_bytes": <size>')
    .replace(/"short_id": "\w+"/g, '"short_id": "<id>"')
    .replace(/^( *|(?:output-changed|matched) +)[0-9a-f]{8} /gm, '$1<id> ')
    .replace(/\b\d+(?:\.\d)? k?B\b/g, '<size>')
    .replace(/\b\d+ (?:s|min|h|d) /g, '<age> ')
    .replace(/(?<=\S) {2,}/g, '  ');
}

let project: Project;

beforeAll(async () => {
  await ensureBuilt();
  project = createProject(Object.fromEntries(FILES));
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
    for (const command of 'list inspect validate replay diff export scan scrub recover'.split(' ')) {
      expect(DOC).toContain(`\n## ${command}\n`);
    }
    expect(DOC).toContain('\n## pack and unpack\n');
    expect(DOC).toContain('\n## keep and prune\n');
    expect(COMMANDS.length).toBeGreaterThan(10);
  });

  it.each(COMMANDS)('prints what is shown: stepfork $line', async ({ line, output, stdin, exitCode }) => {
    // The page names an event of a run that it does not make: the result of that run's tool.
    const [, , third = ''] = project.read('fixed.sftrace/events.jsonl').split('\n');
    const { id } = JSON.parse(third) as { id: string };
    const argv = line
      .replace(/evt_[0-9a-f]{32}/, id)
      .split(' ')
      .filter((word) => word !== '');
    const run = RUNS_USER_CODE.test(line) ? stepfork.bind(null, project.folder) : commandLineIn(project.folder, stdin);
    const answer = await run(...argv);
    expect(steady(answer.stdout + answer.stderr)).toBe(steady(output));
    expect(answer.exitCode).toBe(exitCode);
  });
});
