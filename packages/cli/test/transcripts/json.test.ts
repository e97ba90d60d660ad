import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { startAgentHost } from '../support/in-agent-host.js';
import { faultsBy, faultsOf, SCHEMAS } from '../support/json-schemas.js';

const host = startAgentHost();
let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'failure.sftrace');
  await project.record('runAgent', 'failed.sftrace', { order_id: 'ORD-404' });
  await project.record('fixed', 'fixed.sftrace');
  await project.record('runAgent', '.stepfork/traces/one.sftrace');
  await project.record('runAgent', '.stepfork/traces/two.sftrace', { order_id: 'ORD-404' });
  cpSync(project.path('failure.sftrace'), project.path('broken.sftrace'), { recursive: true });
  const events = project.read('broken.sftrace/events.jsonl');
  project.write('broken.sftrace/events.jsonl', events.replaceAll('FedEx', 'sk-abcdefgh12345678'));
  project.write('.stepfork/traces/none.sftrace/manifest.json', '{}');
  const { record, traceTool } = await project.recorder();
  const roll = traceTool('roll', async (sides: number) => ({ sides, random: Math.random() }));
  const words = traceTool('words', async function* () {
    yield* ['a', 'b'];
  });
  await record('roller', { output: project.path('odd.sftrace'), tags: { release: '1.4' } }, async () => {
    await Promise.all([roll(6), roll(6)]);
    for await (const _ of words());
    return { password: 'hunter22hunter22', run: () => 7 };
  });
}, 120_000);
afterAll(() => {
  host.stop();
  project?.remove();
});

const RUNS_USER_CODE = new Set(['replay', 'export']);

async function documentOf(...argv: string[]): Promise<Record<string, unknown>> {
  const run = RUNS_USER_CODE.has(argv[0] ?? '') ? host.run.bind(null, project.folder) : commandLineIn(project.folder);
  const { stdout, stderr } = await run(...argv, '--json');
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as Record<string, unknown>;
}

const AGENT = ['--entrypoint', 'agent.mjs:runAgent'];
const COMMAND_LINES: readonly (readonly [schema: string, ...argv: string[]])[] = [
  ['list', 'list'],
  ['list', 'list', '--failed', '--limit', '1'],
  ['validate', 'validate', 'failure.sftrace', '--verify-integrity'],
  ['validate', 'validate', 'broken.sftrace', '--verify-integrity'],
  ['validate', 'validate', 'nowhere.sftrace'],
  ['inspect', 'inspect', 'failure.sftrace'],
  ['inspect', 'inspect', 'failed.sftrace', '--errors-only'],
  ['inspect', 'inspect', 'odd.sftrace'],
  ['inspect', 'inspect', 'latest', '--step', '1'],
  ['replay', 'replay', 'failure.sftrace', ...AGENT],
  ['replay', 'replay', 'failed.sftrace', ...AGENT, '--observe', '--ignore', 'llm:*=/prompt'],
  ['replay', 'replay', 'failure.sftrace', '--entrypoint', 'agent.mjs:drifted', '--expect-output', 'expected.json'],
  ['replay', 'replay', 'failure.sftrace', '--entrypoint', 'agent.mjs:moody', '--repeat', '2'],
  ['replay', 'replay', 'failure.sftrace', '--entrypoint', 'agent.mjs:throwing'],
  ['diff', 'diff', 'failure.sftrace', 'fixed.sftrace'],
  ['diff', 'diff', 'failure.sftrace', 'failed.sftrace'],
  ['diff', 'diff', 'failure.sftrace', 'failure.sftrace'],
  ['scan', 'scan', 'failure.sftrace'],
  ['scan', 'scan', 'broken.sftrace'],
  ['prune', 'prune', '--keep-last', '0'],
  ['prune', 'prune', '--keep-last', '9', '--dry-run'],
  ['error', 'inspect', 'nowhere.sftrace'],
  ['error', 'inspect', 'failure.sftrace', '--step', '99'],
  ['error', 'list', 'nowhere'],
  ['error', 'replay', 'failure.sftrace', '--entrypoint', 'agent.mjs:nothing'],
  ['error', 'frobnicate'],
];

describe('a document of --json', () => {
  it.each(COMMAND_LINES)('is what schema %s says: %s %s %s %s', async (schema, ...argv) => {
    const document = await documentOf(...argv);
    expect(document.schema).toBe(`stepfork.${schema}/1`);
    expect(faultsOf(document)).toEqual([]);
  });

  it('of a folder of runs is what its schema says, and holds the documents of the runs', async () => {
    const document = (await documentOf('replay', '.stepfork/traces', ...AGENT)) as {
      schema: string;
      results: { document: object }[];
    };
    expect(document.schema).toBe('stepfork.replay-folder/1');
    expect(faultsOf(document)).toEqual([]);
    const { results } = document;
    expect(results.length).toBeGreaterThan(1);
    for (const { document } of results) expect(faultsOf(document)).toEqual([]);
  });

  it('tells of ambiguous calls, streams, tags, and of what was redacted or not stored', async () => {
    const document = await documentOf('inspect', 'odd.sftrace');
    expect(document.summary).toMatchObject({ ambiguous: 2, placeholders: 1, tags: { release: '1.4' } });
    const events = document.events as { readonly ambiguous: boolean; readonly stream: object | null }[];
    expect(events.map(({ ambiguous }) => ambiguous)).toEqual([false, true, true, false, false, false, false, false]);
    expect(events.filter(({ stream }) => stream !== null)).toHaveLength(1);
    const { stdout } = await commandLineIn(project.folder)('inspect', 'odd.sftrace');
    expect(stdout).toMatch(/^Ambiguous +2 calls that only their order tells apart$/m);
    expect(stdout.match(/→ tool roll \[ambiguous\] /g)).toHaveLength(2);
  });
});

describe('the schemas', () => {
  const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));

  it('are one for each document that the program prints, and the configuration', () => {
    const named = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(join(SOURCES, file), 'utf8').matchAll(/'stepfork\.([a-z-]+)\/(\d+)'/g)])
      .map(([, name, version]) => `${name}-${version}`);
    expect([...SCHEMAS.keys()].sort()).toEqual([...new Set([...named, 'config-1'])].sort());
  });

  it('say which fields there are, all of them, and allow no others', () => {
    for (const [name, schema] of SCHEMAS) {
      if (name === 'config-1') continue;
      const objects = objectsIn(schema);
      expect(objects.length).toBeGreaterThan(0);
      for (const object of objects)
        expect(object).toMatchObject({ additionalProperties: false, required: expect.any(Array) });
    }
  });

  it('find a field that is missing, and one too many', async () => {
    const document = await documentOf('list');
    const { total: _, ...without } = document;
    expect(faultsOf(without)).toEqual([expect.stringContaining("must have required property 'total'")]);
    expect(faultsOf({ ...document, extra: 1 })).toEqual([
      expect.stringContaining('must NOT have additional properties'),
    ]);
  });

  it('say of a configuration what the program does', async () => {
    const good = {
      $schema: 'x',
      entrypoints: { a: 'agent.mjs:runAgent' },
      traces: 'traces',
      exporter: 'jest',
      redact: { ruleset: 'default', keys: ['a'], pointers: ['/a'], patterns: ['x+'], pii: ['email'] },
      ignore: { 'tool:a': ['/b', ''] },
      match: { 'llm:*': ['/c'] },
      guard: { allow: ['git'] },
    };
    const bad = [
      { traces: '' },
      { entrypoints: { a: 'b' } },
      { ignore: { a: ['/b'] } },
      { ignore: { 'tool:a': ['b'] } },
      { guard: [] },
      { else: 1 },
      [],
    ];
    for (const config of [good, ...bad]) {
      project.write('stepfork.config.json', JSON.stringify(config));
      const { exitCode, stderr } = await commandLineIn(project.folder)('scan', 'failure.sftrace');
      const refused = exitCode === 2 && stderr.startsWith('stepfork: stepfork.config.json');
      expect({ config, refused }).toEqual({ config, refused: faultsBy('config-1', config).length > 0 });
      project.write('stepfork.config.json', '{}');
    }
  });
});

/** Every description of an object with named properties. */
function objectsIn(schema: unknown): readonly object[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const below = Object.values(schema).flatMap(objectsIn);
  return 'properties' in schema && 'type' in schema ? [schema, ...below] : below;
}
