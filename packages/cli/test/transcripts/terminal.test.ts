import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { saveTrace } from '@stepfork/recorder';
import { addEvent, createTrace, errorEvent, runStartEvent, toolCallEvent } from '@stepfork/trace-format';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { DRIVES_TERMINAL } from '../support/drives-terminal.js';
import { startAgentHost } from '../support/in-agent-host.js';
import { createProject, type Project } from '../support/project.js';
import { stepfork } from '../support/stepfork.js';

const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202edesrever\r\u2028';
const RUNS_USER_CODE = new Set(['replay', 'export']);
const host = startAgentHost();
let project: Project;

beforeAll(async () => {
  await ensureBuilt();
  project = createProject({ 'agent.mjs': 'export const run = () => null;\n' });
  saveHostile('hostile.sftrace', HOSTILE);
  saveHostile('other.sftrace', `${HOSTILE}!`);
}, 120_000);
afterAll(() => {
  host.stop();
  project?.remove();
});

function saveHostile(bundle: string, text: string): void {
  const trace = createTrace({
    agentName: `agent${text}`,
    status: 'failed',
    failure: { type: `E${text}`, message: text, step: 0 },
    tags: { [text]: text },
  });
  addEvent(trace, runStartEvent({ input: { [text]: text } }));
  addEvent(trace, errorEvent({ error_type: text, message: text }));
  for (let call = 0; call < 800; call++) addEvent(trace, toolCallEvent({ name: `tool${text}`, input: [text] }));
  saveTrace(trace, project.path(bundle));
}

const shell = async (command: string): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)('sh', ['-c', command], {
    cwd: project.folder,
    env: { ...process.env, STEPFORK: `"${process.execPath}" "${BIN}"`, NO_COLOR: '', FORCE_COLOR: '0' },
  });

describe('the terminal', () => {
  it.each([
    ['inspect', 'hostile.sftrace'],
    ['inspect', 'hostile.sftrace', '--events'],
    ['inspect', 'hostile.sftrace', '--step', '1'],
    ['inspect', 'hostile.sftrace', '--json'],
    ['diff', 'hostile.sftrace', 'other.sftrace'],
    ['diff', 'hostile.sftrace', 'other.sftrace', '--json'],
    ['replay', 'hostile.sftrace', '--entrypoint', 'agent.mjs:run'],
    ['replay', 'hostile.sftrace', '--entrypoint', 'agent.mjs:run', '--json'],
    ['export', 'hostile.sftrace', '--to', 'vitest', '--entrypoint', 'agent.mjs:run', '--output', 'x.test.ts'],
    ['pack', 'hostile.sftrace', '--output', `${HOSTILE}.sftrace`],
    ['unpack', `${HOSTILE}.sftrace`, '--output', `${HOSTILE}!.sftrace`],
    ['scan', `${HOSTILE}.sftrace`],
    ['scrub', `${HOSTILE}!.sftrace`, '--pointer', `${HOSTILE}:/input`],
    ['inspect', `none${HOSTILE}.sftrace`],
  ])('is never driven by a trace: %s %s %s', async (...argv) => {
    const run = RUNS_USER_CODE.has(argv[0] ?? '') ? host.run.bind(null, project.folder) : commandLineIn(project.folder);
    const { stdout, stderr } = await run(...argv);
    expect(stdout + stderr).not.toMatch(DRIVES_TERMINAL);
    expect(stdout + stderr).toContain('\\u001b');
  });

  it('is left quietly by a result whose reader went away', async () => {
    const { stdout, stderr } = await shell('eval "$STEPFORK" inspect hostile.sftrace | head -n 1');
    expect(stdout).toBe('hostile.sftrace\n');
    expect(stderr).toBe('');
  });

  it('gets all of a long result through a pipe', async () => {
    const { stdout } = await stepfork(project.folder, 'inspect', 'hostile.sftrace', '--json');
    expect((JSON.parse(stdout) as { events: object[] }).events).toHaveLength(802);
  });

  it('sees no colour in a pipe, and colour where it is forced', async () => {
    const CSI = '\u001b[';
    const [piped, forced] = await Promise.all([
      stepfork(project.folder, 'inspect', 'hostile.sftrace'),
      shell('FORCE_COLOR=1 eval "$STEPFORK" inspect hostile.sftrace'),
    ]);
    expect(piped.stdout).not.toContain(CSI);
    expect(forced.stdout).toContain(`${CSI}31mfailed`);
    expect((await shell('NO_COLOR=1 FORCE_COLOR=1 eval "$STEPFORK" inspect hostile.sftrace')).stdout).not.toContain(
      CSI,
    );
  });

  // Linux has a device that is always full.
  it.each(['/dev/full'].filter((device) => existsSync(device)))(
    'is told when a result cannot be written to %s',
    async (full) => {
      const failed = await shell(`eval "$STEPFORK" --version > ${full}`).catch((error: unknown) => error);
      expect(failed).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^stepfork: the result could not be written: /),
      });
    },
  );
});
