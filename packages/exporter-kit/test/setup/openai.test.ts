import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { exporter as jestExporter } from '@stepfork/exporter-jest';
import type { Exporter } from '@stepfork/exporter-kit';
import { buildCase, detectTarget, renderCase } from '@stepfork/exporter-kit';
import { exporter as vitestExporter } from '@stepfork/exporter-vitest';
import { loadTrace } from '@stepfork/trace-format';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ConsumerProject, createProject } from '../consumer/consumer-project.js';
import { serveChat } from './openai-server.js';

const AGENT = `const client = new OpenAI();

async function severity(incident) {
  const completion = await client.chat.completions.create({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: incident }],
  });
  return completion.choices[0].message.content;
}

async function triage(incident) {
  return { severity: await severity(incident), escalate: false };
}

async function triageRightly(incident) {
  return { severity: await severity(incident), escalate: true };
}

async function triageAbroad(incident) {
  const failed = await fetch('http://status.example.test/').catch((error) => String(error.cause));
  return { severity: await severity(incident), escalate: /the replay blocked 'request status/.test(failed) };
}
`;
const NAMES = 'triage, triageAbroad, triageRightly';
const AGENTS = {
  'src/agent.mjs': `import OpenAI from 'openai';\n\n${AGENT}\nexport { ${NAMES} };\n`,
  'src/agent.cjs': `const OpenAI = require('openai');\n\n${AGENT}\nmodule.exports = { ${NAMES} };\n`,
};

/** Records the agent at the server, with the seam that a program puts in before its agent is loaded. */
const RECORD = `import { record } from '@stepfork/recorder';
import { installFetch } from '@stepfork/recorder/fetch';

installFetch();
const { triage } = await import('./src/agent.mjs');
await record('triage', { output: 'traces/failure.sftrace', input: 'checkout fails' }, (_session, given) => triage(given));
`;

let project: ConsumerProject;

beforeAll(async () => {
  project = await createProject({ 'package.json': '{ "type": "module" }', 'record.mjs': RECORD, ...AGENTS });
  const server = await serveChat();
  // The address is the one that was recorded; nobody listens there any more, and no key is set.
  vi.stubEnv('OPENAI_BASE_URL', server.url);
  const env = { ...process.env, OPENAI_API_KEY: 'a key that this server does not look at' };
  // Not synchronously: the server is in this process.
  const recorded = await new Promise<string>((resolve, reject) => {
    const child = spawn(process.execPath, ['record.mjs'], { cwd: project.folder, env });
    let output = '';
    child.stdout.on('data', (text) => {
      output += String(text);
    });
    child.stderr.on('data', (text) => {
      output += String(text);
    });
    child.on('error', reject).on('close', (code) => resolve(`${code} ${output}`));
  });
  await server.close();
  vi.stubEnv('OPENAI_API_KEY', undefined);
  expect(recorded).toBe('0 ');
}, 60_000);
afterAll(() => {
  vi.unstubAllEnvs();
  project.remove();
});

function write(exporter: Exporter, entrypoint: string, exportName: string): string {
  const { folder } = project;
  const tracePath = join(folder, 'traces', 'failure.sftrace');
  const entrypointFile = join(folder, entrypoint);
  const target = detectTarget(join(folder, 'tests'), exporter.name, { entrypointFile });
  const file = `tests/${exportName}${exporter.fileSuffix(target)}`;
  const [rendered] = renderCase(
    exporter,
    buildCase({
      trace: loadTrace(tracePath),
      tracePath,
      entrypointFile,
      exportName,
      testFile: join(folder, file),
      expected: { severity: 'P0', escalate: true },
      target,
    }),
  );
  project.write({ [file]: rendered?.text ?? '' });
  return file;
}

describe.each<[name: string, exporter: Exporter, source: string, run: () => ReturnType<ConsumerProject['vitest']>]>([
  ['vitest', vitestExporter, 'src/agent.mjs', () => project.vitest('tests/')],
  ['jest', jestExporter, 'src/agent.cjs', () => project.jest([], '--testMatch=**/*.test.cjs')],
])('an agent whose module makes an OpenAI client, in %s', (_, exporter, source, run) => {
  test('replays without a key and without the server', () => {
    const files = Object.fromEntries(
      ['triage', 'triageRightly', 'triageAbroad'].map((name) => [name, write(exporter, source, name)]),
    );
    const { tests, output } = run();
    const of = (name: string) => tests[files[name] ?? ''];
    expect(of('triage'), output).toMatchObject([
      { status: 'passed' },
      {
        status: 'failed',
        message: expect.stringContaining("behavior mismatch at 'escalate': expected true, got false"),
      },
    ]);
    expect(of('triageRightly'), output).toMatchObject([{ status: 'passed' }, { status: 'passed' }]);
    // What the recording does not answer is stopped before it leaves.
    expect(of('triageAbroad'), output).toMatchObject([{ status: 'passed' }, { status: 'passed' }]);
  });
});
