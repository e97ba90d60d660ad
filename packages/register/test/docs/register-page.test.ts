import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { GOOD_KEY, startOpenAiServer, type WireServer } from '@stepfork/adapter-conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, type Ended, type Project } from '../support/project.js';

const PAGE = readFileSync(new URL('../../../../docs/integrations/register.md', import.meta.url), 'utf8');
const FILES = Object.fromEntries(
  [...PAGE.matchAll(/^```[jt]s title="([^"]+)"\n(.*?)^```$/gms)].map(([, name = '', text = '']) => [name, text]),
);
/** Lines that start Node, and the oldest Node that they are for. */
const LINES = [...PAGE.matchAll(/^```sh(?: node=(\d+))?\n(.*?)^```$/gms)].flatMap(([, node = '20', text = '']) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('node '))
    .map((line) => ({ line, node: Number(node) })),
);
/** The other Node is fetched, which takes its time. */
const NODES = process.env.STEPFORK_FULL === '1' ? [20, 22] : [20];

let server: WireServer;
let project: Project;
beforeAll(async () => {
  server = await startOpenAiServer();
  project = await createProject(FILES);
}, 60_000);
afterAll(async () => {
  await server.close();
  project?.remove();
});

const env = (): NodeJS.ProcessEnv => ({ OPENAI_BASE_URL: `${server.origin}/v1`, OPENAI_API_KEY: GOOD_KEY });
const start = (at: Project, node: number, argv: readonly string[]): Promise<Ended> =>
  node === 20 ? at.run(argv, env()) : at.runWith(['npx', '-y', '-p', `node@${node}`, 'node', ...argv], env());

describe('docs/integrations/register.md', () => {
  test('has a line for each Node, with and without TypeScript', () => {
    expect(LINES.map(({ node }) => node)).toEqual([20, 20, 22]);
    expect(Object.keys(FILES)).toEqual(['agent.js', 'agent.ts', 'replay.js']);
  });

  test.each(LINES.filter(({ node }) => NODES.includes(node)))('records by: $line', async ({ line, node }) => {
    // Node takes types out of no file below node_modules, where the other project lies.
    const at = node === 20 ? project : await createProject(FILES, tmpdir());
    const { exitCode, stdout, stderr } = await start(at, node, line.split(' ').slice(1));
    expect([exitCode, stdout]).toEqual([0, line.endsWith('.ts') ? '200\n' : 'user said Say hi.\n']);
    expect(stderr).toMatch(/^(?:.*Warning.*\n)*stepfork: recorded 'agent', 1 call, in /m);
    const [trace] = at.takeTraces();
    if (at !== project) at.remove();
    expect(trace?.events.map(({ type }) => type)).toEqual(['run_start', 'llm_request', 'llm_response', 'run_end']);
  });

  test('replays what was recorded so', async () => {
    const told = { STEPFORK_AGENT: 'greeter', STEPFORK_OUTPUT: 'greeter.sftrace' };
    expect((await project.run(['--import', '@stepfork/register', 'agent.js'], { ...env(), ...told })).exitCode).toBe(0);
    const asked = server.requests.length;
    const { exitCode, stdout, stderr } = await project.run(['replay.js'], env());
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^user said Say hi\.\n/);
    expect(stdout).toMatch(/^matched/m);
    expect(server.requests).toHaveLength(asked);
  });
});
