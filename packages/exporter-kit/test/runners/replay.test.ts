import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsumerProject, createProject, type TestResult } from '../consumer/consumer-project.js';

/** What an agent meets: tools side by side, a stream, an error, a wait, the date, and a model. */
const AGENT = `
const bodies = { run: 0 };
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const status = traceTool('status', async ({ id }) => {
  bodies.run++;
  await sleep(id === 1 ? 9 : 2);
  return { id, state: 'shipped', since: new Date(0) };
});
const pages = traceTool('pages', async function* (about) {
  bodies.run++;
  yield about + ' page 1';
  yield about + ' page 2';
});
const flaky = traceTool('flaky', async () => {
  bodies.run++;
  throw new RangeError('too far');
});
const ask = (prompt) =>
  llmRequest({ provider: 'acme', model: 'm-1', input: { prompt }, call: async () => ({ text: 'notes: ' + ++bodies.run }) });

const triage = (second) => async (id) => {
  const began = Date.now();
  const both = await Promise.all([status({ id }), status({ id: second })]);
  let text = '';
  for await (const page of pages('order ' + id)) text += page + '; ';
  try {
    await flaky();
  } catch (error) {
    text += error instanceof RangeError && error.message;
  }
  await sleep(4);
  const answer = await ask(new Date().toDateString() + ' ' + text + ' ' + (Date.now() - began < 5000));
  return { both, text, answer, isDate: both[0].since instanceof Date };
};
const agent = traceAgent('triage', triage(2));
const changed = traceAgent('triage', triage(3));
const reaching = traceAgent('triage', async (id) => {
  await fetch('http://127.0.0.1:45999/' + id).catch(() => {});
  return triage(2)(id);
});
`;
const NAMES = 'agent, bodies, changed, reaching';

/** What holds wherever a replay is called from. The agent's file may have loaded other copies of the packages. */
const CHECKS = `
test('the recorded run replays, and no body runs', async () => {
  const report = await replay(bundle, agent, { repeat: 2 });
  expect([report.verdict, report.divergence, bodies.run]).toEqual(['matched', null, 0]);
  expect(report.output).toMatchObject({ isDate: true, answer: { text: 'notes: 5' } });
});
test('two replays go on at once', async () => {
  const reports = await Promise.all([replay(bundle, agent), replay(bundle, changed)]);
  expect(reports.map(({ verdict }) => verdict)).toEqual(['matched', 'diverged']);
  expect(reports[1].divergence).toMatchObject({ code: 'input_changed', differences: [{ path: 'id' }] });
  expect(() => assertReplay(reports[1])).toThrow('id: recorded 2, got 3');
  expect(bodies.run).toBe(0);
});
test('a way out is blocked, though the agent swallows it', async () => {
  const report = await replay(bundle, reaching);
  expect(report.blocked).toEqual([{ what: expect.stringContaining('127.0.0.1:45999'), callSite: expect.stringContaining('agent.') }]);
  expect(formatReport(report)).toContain('127.0.0.1:45999');
});
test('a session gives what the agent returned', async () => {
  const session = ReplaySession.fromTrace(bundle);
  const output = await session.run(() => agent(1));
  expect(output.isDate).toBe(true);
  session.verifyComplete();
});
`;

const IMPORTS = "import { llmRequest, traceAgent, traceTool } from '@stepfork/recorder';\n";
const REQUIRES = "const { llmRequest, traceAgent, traceTool } = require('@stepfork/recorder');\n";
const REPLAY = 'assertReplay, formatReport, ReplaySession, replay';
const BUNDLE = "const bundle = process.env.BUNDLE ?? 'failure.sftrace';\n";
const LATER = 'Date.now() + 400 * 86_400_000';

let project: ConsumerProject;
beforeAll(async () => {
  const esm = `import { ${REPLAY} } from '@stepfork/replay';\n`;
  const ofEsm = `import { ${NAMES} } from '../agent.mjs';\n`;
  // The CommonJS agent loads the CommonJS copies, the test that imports it the others.
  const ofCjs = `import { createRequire } from 'node:module';\nconst { ${NAMES} } = createRequire(import.meta.url)('../agent.cjs');\n`;
  const vitest = "import { afterEach, beforeEach, expect, test, vi } from 'vitest';\n";
  const jest = "import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';\n";
  const faked = (tool: string): string =>
    `beforeEach(() => void ${tool}.useFakeTimers({ now: ${LATER}, ${tool === 'vi' ? "toFake: ['Date', 'performance']" : "doNotFake: ['setTimeout', 'setImmediate', 'setInterval', 'clearTimeout', 'nextTick', 'queueMicrotask']"} }));\n` +
    `afterEach(() => void ${tool}.useRealTimers());\n`;
  project = await createProject({
    'package.json': '{}',
    'agent.mjs': `${IMPORTS}${AGENT}\nexport { ${NAMES} };\n`,
    'agent.cjs': `${REQUIRES}${AGENT}\nmodule.exports = { ${NAMES} };\n`,
    'record.mjs': `import { record } from '@stepfork/recorder';
import { agent } from './agent.mjs';
await record('triage', { output: 'failure.sftrace', input: 1 }, () => agent(1));
`,
    'vitest/plain.test.mjs': vitest + esm + ofEsm + BUNDLE + CHECKS,
    'vitest/copies.test.mjs': vitest + esm + ofCjs + BUNDLE + CHECKS,
    'vitest/faked.test.mjs': vitest + esm + ofEsm + BUNDLE + faked('vi') + CHECKS,
    'jest/plain.test.mjs': jest + esm + ofEsm + BUNDLE + CHECKS,
    'jest/copies.test.mjs': jest + esm + ofCjs + BUNDLE + CHECKS,
    'jest/faked.test.mjs': jest + esm + ofEsm + BUNDLE + faked('jest') + CHECKS,
    'jest/common.test.cjs': `const { ${REPLAY} } = require('@stepfork/replay');\nconst { ${NAMES} } = require('../agent.cjs');\n${BUNDLE}${CHECKS}`,
    'node/plain.test.mjs': `import { test } from 'node:test';\nimport { jestExpect as expect } from '@jest/expect';\n${esm}${ofEsm}${BUNDLE}${CHECKS}`,
    'node/copies.test.mjs': `import { test } from 'node:test';\nimport { jestExpect as expect } from '@jest/expect';\n${esm}${ofCjs}${BUNDLE}${CHECKS}`,
    'jest.config.json': '{"transform":{},"testMatch":["**/jest/*.test.?(m|c)js"]}',
  });
  execFileSync(process.execPath, ['record.mjs'], {
    cwd: project.folder,
    env: { ...process.env, TZ: 'Asia/Kathmandu' },
  });
}, 120_000);
afterAll(() => project.remove());

/** What did not pass, and how many tests did. */
function summary(tests: Readonly<Record<string, readonly TestResult[]>>): unknown {
  const all = Object.entries(tests).flatMap(([file, results]) => results.map((result) => ({ file, ...result })));
  const bad = all.filter(({ status }) => status !== 'passed');
  return { files: Object.keys(tests).length, passed: all.length - bad.length, bad };
}

test.each(['threads', 'forks'])(
  'a replay holds in vitest, in %s',
  (pool) => {
    const { tests } = project.vitest('--pool', pool, '--dir', 'vitest');
    expect(summary(tests)).toEqual({ files: 3, passed: 12, bad: [] });
  },
  120_000,
);

test('a replay holds in jest, in ES modules and in CommonJS', () => {
  const { tests, faults } = project.jest(['--experimental-vm-modules', '--no-warnings']);
  expect([summary(tests), Object.values(faults).filter((fault) => fault !== '')]).toEqual([
    { files: 4, passed: 16, bad: [] },
    [],
  ]);
}, 120_000);

test('a replay holds in node', () => {
  const printed = execFileSync(
    process.execPath,
    ['--test', '--test-reporter=tap', join('node', 'plain.test.mjs'), join('node', 'copies.test.mjs')],
    {
      cwd: project.folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    },
  );
  expect(printed).toContain('# pass 8');
}, 120_000);
