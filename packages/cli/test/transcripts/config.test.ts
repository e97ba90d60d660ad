import { mkdirSync, rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { startAgentHost } from '../support/in-agent-host.js';
import { copyProject, type Project } from '../support/project.js';
import { type Ended, stepfork } from '../support/stepfork.js';

const host = startAgentHost();
let recorded: Agents;
/** Of one test, which configures it. */
let project: Project;

beforeAll(async () => {
  await ensureBuilt();
  recorded = await createAgents();
  await recorded.record('runAgent', 'failure.sftrace');
  await recorded.record('runAgent', 'traces/one.sftrace');
  await recorded.record('dated', 'dated.sftrace');
}, 120_000);
beforeEach(() => {
  project = copyProject(recorded);
});
afterEach(() => project?.remove());
afterAll(() => {
  host.stop();
  recorded?.remove();
});

const configure = (name: string, text: string): void => project.write(name, text);

const json = (value: object): string => `${JSON.stringify(value)}\n`;
const run = (...argv: string[]): Promise<Ended> => host.run(project.folder, ...argv);
const replay = (...argv: string[]): Promise<Ended> => run('replay', 'failure.sftrace', ...argv);
const read = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)(...argv);

const ENTRYPOINTS = { entrypoints: { 'notify-agent': 'agent.mjs:runAgent' } };

describe('stepfork.config', () => {
  it.each([
    ['stepfork.config.json', json({ $schema: 'x', ...ENTRYPOINTS })],
    ['package.json', json({ name: 'agents', type: 'module', stepfork: ENTRYPOINTS })],
    ['stepfork.config.mjs', `export default ${JSON.stringify(ENTRYPOINTS)};\n`],
    ['stepfork.config.js', `export default ${JSON.stringify(ENTRYPOINTS)};\n`],
    ['stepfork.config.cjs', `module.exports = ${JSON.stringify(ENTRYPOINTS)};\n`],
    [
      'stepfork.config.ts',
      `import { defineConfig } from '@stepfork/cli/config';
const entrypoint: string = 'agent.mjs:runAgent';
export default defineConfig({ entrypoints: { 'notify-agent': entrypoint } });\n`,
    ],
  ])('names the entrypoint of the recorded agent: %s', async (name, text) => {
    configure(name, text);
    const { exitCode, stdout, stderr } = await replay();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^matched: /);
  });

  it('yields to the command line', async () => {
    configure('stepfork.config.json', json({ entrypoints: { 'notify-agent': 'agent.mjs:drifted' } }));
    expect((await replay()).exitCode).toBe(1);
    expect((await replay('--entrypoint', 'agent.mjs:runAgent')).exitCode).toBe(0);
  });

  it('is one of code over one of data, key by key', async () => {
    configure('stepfork.config.json', json({ traces: 'traces', entrypoints: { 'notify-agent': 'none.mjs:x' } }));
    configure('stepfork.config.mjs', `export default ${JSON.stringify(ENTRYPOINTS)};\n`);
    expect(await run('replay', 'latest')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('says where the traces lie', async () => {
    configure('package.json', json({ stepfork: { traces: 'traces' } }));
    expect((await read('list')).stdout).toContain('notify-agent');
    expect((await read('validate', 'latest')).stdout).toContain('traces/one.sftrace: valid');
    expect((await read('prune', '--keep-last', '0')).stdout).toContain('would remove 1 of 1 run in traces');
    configure('package.json', json({ stepfork: { traces: 'none yet' } }));
    expect(await read('list')).toMatchObject({ exitCode: 0, stdout: 'there are no runs in none yet\n' });
    expect((await read('inspect', 'latest')).stderr).toBe(
      'stepfork: there is no run in none yet yet. Record one first.\n',
    );
  });

  it('says what is not compared, and --ignore adds to it', async () => {
    const argv = ['replay', 'dated.sftrace', '--entrypoint', 'agent.mjs:dated', '--now', 'real'];
    const places = (key: string): string => json({ ignore: { [key]: ['/prompt'] } });
    expect((await run(...argv, '--now', '2020-01-01')).exitCode).toBe(1);
    configure('stepfork.config.json', places('llm:small-1'));
    const ignored = await run(...argv, '--now', '2020-01-01');
    expect(ignored).toMatchObject({ exitCode: 0, stderr: '' });
    configure('stepfork.config.json', places('tool:order_status'));
    const added = await run(...argv, '--now', '2020-01-01', '--ignore', 'llm:small-1=/prompt');
    expect(added.stdout).toMatch(/^matched: /);
    configure(
      'stepfork.config.ts',
      "export default { normalize: { 'llm:small-1': (input: { prompt: string }) => input.prompt.slice(0, 8) } };\n",
    );
    rmSync(project.path('stepfork.config.json'));
    expect((await run(...argv, '--now', '2020-01-01')).stdout).toMatch(/^matched: /);
  });

  it('says what a replayed agent may reach, but in mode live, which stops nothing', async () => {
    project.write(
      'reaching.mjs',
      `import { execFileSync } from 'node:child_process';
import { runAgent } from './agent.mjs';
export async function run(order) {
  execFileSync('echo', ['hello']);
  return runAgent(order);
}\n`,
    );
    const flags = ['--entrypoint', 'reaching.mjs:run'];
    expect((await replay(...flags)).exitCode).toBe(1);
    configure('stepfork.config.json', json({ guard: { allow: ['echo'] } }));
    expect(await replay(...flags)).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await replay(...flags, '--mode', 'live', '--allow-live-tool', 'order_status')).stderr).toBe('');
  });

  it('says what is secret, to whatever shows a bundle', async () => {
    configure('package.json', json({ stepfork: { redact: { keys: ['carrier'], patterns: ['ORD-\\d+'] } } }));
    const { stdout } = await read('inspect', 'failure.sftrace');
    expect(stdout).not.toMatch(/FedEx|ORD-1/);
    expect(await read('scan', 'failure.sftrace')).toMatchObject({ exitCode: 1 });
  });

  it('has a run compared under the rules that it was recorded under', async () => {
    const { record } = await project.recorder();
    const { runAgent } = (await import(project.path('agent.mjs'))) as { runAgent: (order: object) => Promise<unknown> };
    const order = { order_id: 'ORD-1' };
    const output = project.path('ruled.sftrace');
    await record('notify-agent', { output, input: order, redact: { keys: ['status'] } }, () => runAgent(order));
    const argv = ['replay', 'ruled.sftrace', '--entrypoint', 'agent.mjs:runAgent'];
    expect((await run(...argv)).stdout).toContain('recorded under other redaction rules');
    configure('stepfork.config.json', json({ redact: { keys: ['status'] } }));
    expect((await run(...argv)).stdout).not.toContain('redaction rules');
    // A run of before the rules were made.
    expect((await replay('--entrypoint', 'agent.mjs:runAgent')).stdout).not.toContain('redaction rules');
  });

  describe('in an exported test', () => {
    const flags = ['--to', 'vitest', '--entrypoint', 'agent.mjs:runAgent', '--expect-same', '--no-copy', '--overwrite'];
    const exported = async (bundle: string): Promise<{ test: string; stderr: string }> => {
      const made = await run('export', bundle, ...flags, '--output', 'ruled.test.mjs');
      expect(made, made.stderr).toMatchObject({ exitCode: 0 });
      return { test: project.read('ruled.test.mjs'), stderr: made.stderr };
    };
    const recordRuled = async (): Promise<void> => {
      const { record } = await project.recorder();
      const { runAgent } = (await import(project.path('agent.mjs'))) as { runAgent: (of: object) => Promise<unknown> };
      const order = { order_id: 'ORD-1' };
      const output = project.path('ruled.sftrace');
      const redact = { keys: ['order_id'], patterns: [/CUST-\d+/u] };
      await record('notify-agent', { output, overwrite: true, input: order, redact }, () => runAgent(order));
    };
    const RULES = "{ redact: { keys: ['order_id'], patterns: ['CUST-\\\\d+'] }, normalize: { 'llm:*': String } }";

    it('is imported for its functions and for the rules that the run was recorded under', async () => {
      await recordRuled();
      configure('stepfork.config.mjs', `export default ${RULES};\n`);
      const ruled = await exported('ruled.sftrace');
      expect(ruled.test).toContain("import config from './stepfork.config.mjs';\n");
      expect(ruled.test).toMatch(/redact: config\.redact,\s+normalize: config\.normalize,/);
      expect(ruled.stderr).not.toContain('config');
      // Recorded under the default rules.
      expect((await exported('failure.sftrace')).test).not.toContain('config.redact');
    });

    it('is written where it is data', async () => {
      await recordRuled();
      configure('stepfork.config.json', json({ redact: { keys: ['order_id'], patterns: ['CUST-\\d+'] } }));
      const { test } = await exported('ruled.sftrace');
      expect(test).toMatch(/redact: \{\s*keys: \['order_id'\],\s*patterns: \['CUST-\\\\d\+'\],?\s*\}/);
      expect(test).not.toContain('import config');
    });

    it('is told of where a test of that language cannot import it', async () => {
      configure('stepfork.config.ts', `export default ${RULES};\n`);
      const { test, stderr } = await exported('failure.sftrace');
      expect(test).not.toContain('config');
      expect(stderr).toContain('the test does not have normalize of stepfork.config.ts, which it cannot import');
    });
  });

  it('names the exporter', async () => {
    const argv = ['export', 'failure.sftrace', '--expect-same', '--output', 'made.test.mjs'];
    configure('stepfork.config.json', json(ENTRYPOINTS));
    const { exitCode, stderr } = await run(...argv);
    expect(stderr).toMatch(/^stepfork: 'export' needs --to, or a stepfork\.config\.ts that names an exporter\./);
    expect(exitCode).toBe(2);
    configure('stepfork.config.json', json({ ...ENTRYPOINTS, exporter: 'jest' }));
    const made = await run(...argv);
    expect(made.stdout, made.stderr).toContain('wrote made.test.mjs');
    expect(made.exitCode).toBe(0);
    expect(project.read('made.test.mjs')).toContain('@stepfork/exporter-jest');
  });

  it('names entrypoints for a folder of runs, each agent its own', async () => {
    configure('stepfork.config.json', json(ENTRYPOINTS));
    const { exitCode, stdout, stderr } = await run('replay', 'traces');
    expect(stderr).toBe('');
    expect(stdout).toContain('1 replayed: 1 matched');
    expect(exitCode).toBe(0);
    const { stdout: document } = await run('replay', 'traces', '--json');
    expect(JSON.parse(document)).toMatchObject({ entrypoint: null, results: [{ verdict: 'matched' }] });
  });
});

describe('a configuration that is none', () => {
  const CASES: readonly (readonly [what: string, config: unknown, line: RegExp])[] = [
    ['a list', [], /stepfork\.config\.json holds a list, and not an object\. Write one, like \{/],
    ['null', null, /stepfork\.config\.json holds null, and not an object\. Write one, like \{/],
    [
      'an unknown key',
      { entrypoint: 'a:b' },
      /: 'entrypoint' is no key of a configuration\. Did you mean 'entrypoints'\?/,
    ],
    [
      'an unknown key of the guard',
      { guard: { hosts: [] } },
      /: 'guard\.hosts' is no key of a configuration\. Keys are allow\./,
    ],
    [
      'an entrypoint without an export',
      { entrypoints: { a: 'agent.mjs' } },
      /: 'entrypoints\.a' must be <file>:<export>/,
    ],
    ['a folder that is a number', { traces: 7 }, /: 'traces' must be a text\./],
    ['a place that is no pointer', { ignore: { 'tool:a': ['now'] } }, /: 'ignore\.tool:a\[0\]' must be a JSON Pointer/],
    ['a folder that no path names', { traces: 'a\0b' }, /: 'traces' must be a text without NUL characters/],
    ['a file that no path names', { entrypoints: { a: 'a\0.mjs:run' } }, /: 'entrypoints\.a' must be <file>:<export>/],
    ['a rule about no call', { match: { search: ['/q'] } }, /: 'match\.search' is about no call: write 'tool:<name>'/],
    ['a function in JSON', { normalize: { 'tool:a': 'x' } }, /: 'normalize\.tool:a' must be a function/],
    ['rules that are none', { redact: { keys: 'token' } }, /: 'redact\.keys' must be a list\./],
    [
      'a pattern that is none',
      { redact: { patterns: ['('] } },
      /: 'redact\.patterns\[0\]' must be a regular expression\./,
    ],
    [
      'another kind of personal data',
      { redact: { pii: ['iris'] } },
      /: 'redact\.pii\[0\]' must be 'email' or 'phone'\./,
    ],
    ['a guard that allows nothing nameable', { guard: { allow: [7] } }, /: 'guard\.allow\[0\]' must be a text\./],
    ['a prototype', JSON.parse('{ "__proto__": {} }'), /: '__proto__' is no key/],
  ];

  it.each(CASES)('is refused by file and key, exit 2: %s', async (_, config, line) => {
    configure('stepfork.config.json', JSON.stringify(config));
    const { exitCode, stdout, stderr } = await read('list');
    expect(stderr).toMatch(line);
    expect(stderr).toMatch(/^stepfork: stepfork\.config\.json[^\n]*\n$/);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  it('is no JSON, or is there twice', async () => {
    configure('stepfork.config.json', '{');
    expect((await read('list')).stderr).toMatch(
      /^stepfork: stepfork\.config\.json is not JSON: [^\n]+ Correct it\.\n$/,
    );
    configure('stepfork.config.json', '{}');
    configure('package.json', json({ stepfork: {} }));
    expect((await read('list')).stderr).toBe(
      "stepfork: stepfork.config.json and package.json (key 'stepfork') both hold a configuration. Keep one of them.\n",
    );
  });

  it('is a fault of those alone who need it', async () => {
    configure('stepfork.config.json', '{');
    expect((await read('validate', 'failure.sftrace')).exitCode).toBe(0);
    configure('stepfork.config.json', '{}');
    configure('package.json', 'no JSON, and no matter of ours');
    expect((await read('list')).exitCode).toBe(0);
  });

  it.each<[what: string, file: string, text: string, line: RegExp]>([
    [
      'throws',
      'stepfork.config.mjs',
      "throw new Error('no');",
      /stepfork\.config\.mjs threw while loading: no\. Correct it\./,
    ],
    [
      'throws when it is read',
      'stepfork.config.mjs',
      "export default { get traces() { throw new Error('not now'); } };",
      /stepfork\.config\.mjs threw while it was read: not now\. Correct it\./,
    ],
    ['exports nothing', 'stepfork.config.mjs', '', /stepfork\.config\.mjs has no default export\./],
    [
      'exports no object',
      'stepfork.config.mjs',
      'export default 7;',
      /stepfork\.config\.mjs exports a number, and not an object\. Write: export default defineConfig\(/,
    ],
    [
      'exports null',
      'stepfork.config.ts',
      'export default null;',
      /stepfork\.config\.ts exports null, and not an object\. Write: export default defineConfig\(/,
    ],
    [
      'exports null from CommonJS',
      'stepfork.config.cjs',
      'module.exports = null;',
      /stepfork\.config\.cjs exports null, and not an object\. Write: module\.exports = \{/,
    ],
    [
      'ends the process',
      'stepfork.config.mjs',
      'process.exit(0);',
      /stepfork\.config\.mjs ended the process with exit code 0 before its result was in\./,
    ],
    [
      'knows other agents',
      'stepfork.config.json',
      json({ entrypoints: { refund: 'a.mjs:b' } }),
      /stepfork\.config\.json: 'entrypoints' names none for the agent 'notify-agent' but for refund\. Add it, or give --entrypoint\./,
    ],
    [
      'names a file that is not there',
      'stepfork.config.json',
      json({ entrypoints: { 'notify-agent': 'agnet.mjs:runAgent' } }),
      /stepfork\.config\.json: 'entrypoints\.notify-agent': the entrypoint file 'agnet\.mjs' does not exist\. Did you mean 'agent\.mjs'\?/,
    ],
    [
      'names nothing',
      'stepfork.config.json',
      '{}',
      /'replay' needs --entrypoint, or a stepfork\.config\.ts that names/,
    ],
  ])('cannot be used: one that %s', async (what, file, text, line) => {
    configure(file, text);
    const endsIt = what === 'ends the process';
    const refused = (...argv: string[]): Promise<Ended> =>
      endsIt ? stepfork(project.folder, 'replay', 'failure.sftrace', ...argv) : replay(...argv);
    const { exitCode, stdout, stderr } = await refused();
    expect(stderr).toMatch(line);
    expect(stderr).toMatch(/^stepfork: [^\n]*\n$/);
    expect({ exitCode, stdout }).toEqual({ exitCode: endsIt ? 1 : 2, stdout: '' });
    const document = await refused('--json');
    expect(JSON.parse(document.stdout)).toMatchObject({ error: expect.any(String) });
  });

  it('is there twice as code', async () => {
    configure('stepfork.config.mjs', 'export default {};');
    configure('stepfork.config.ts', 'export default {};');
    expect((await replay()).stderr).toBe(
      'stepfork: stepfork.config.ts and stepfork.config.mjs are both there. Keep one of them.\n',
    );
  });

  it('names no entrypoints for a folder of runs', async () => {
    mkdirSync(project.path('traces'), { recursive: true });
    const { exitCode, stderr } = await run('replay', 'traces');
    expect(stderr).toMatch(/^stepfork: 'replay' needs --entrypoint, or a stepfork\.config\.ts that names/);
    expect(exitCode).toBe(2);
  });
});
