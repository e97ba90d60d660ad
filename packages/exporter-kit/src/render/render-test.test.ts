import { describe, expect, test } from 'vitest';
import { NOTIFY_CASE } from '../../test/regression-case.js';
import type { RegressionCase } from '../case.js';
import { renderFiles, renderTest } from './render-test.js';

const dialect = {
  exporter: 'mine',
  packageName: '@acme/exporter-mine',
  framework: 'mine',
  functions: ['beforeAll', 'describe', 'expect', 'test'],
};
const rendered = (changes: Partial<RegressionCase> = {}) => renderTest({ ...NOTIFY_CASE, ...changes }, dialect);
const { expected: _, ...unstated } = NOTIFY_CASE;

describe('renderTest', () => {
  test('reads like a test that somebody wrote', () => {
    expect(rendered()).toBe(`// Regression test of a recorded run of "notify-agent", written by Stepfork.
//
// What went wrong: behavior mismatch at 'should_notify': expected true, got false
// Recording: ./__traces__/notify-agent.sftrace (run_0f1e2d3c4b5a69788796a5b4c3d2e1f0, 2026-03-04T05:06:07Z)
// Recorded calls: tool order_status
// Write it anew, in this folder:
//   stepfork export ./__traces__/notify-agent.sftrace --to mine --entrypoint ../src/agent.ts:notifyAgent \\
//     --expect-output <expected.json> --output notify-agent.test.ts --overwrite
//
// The agent runs as it is now; the recording answers its calls.

import '@acme/exporter-mine/setup'; // must stay first
import { type ReplayReport, replayCase } from '@acme/exporter-mine';
import { beforeAll, describe, expect, test } from 'mine';
import { notifyAgent } from '../src/agent.js';

const expected = {
  order_id: 'ORD-1001',
  should_notify: true,
  carrier: 'FedEx',
};

describe('notify-agent regression', () => {
  let run: ReplayReport;

  beforeAll(async () => {
    run = await replayCase({
      trace: './__traces__/notify-agent.sftrace',
      digest: 'sha256-2Y1pm0Z1Vu2xN5rTnXo5tnVQk3zq0d1mEo4J8hZc7yA=',
      entrypoint: notifyAgent,
    });
  }, 30_000);

  test('makes the recorded calls', () => {
    expect(run).toHaveReplayed();
  });

  test('returns the corrected output', () => {
    expect(run).toHaveOutput(expected);
  });
});
`);
  });

  test('compares all but what it was told to ignore', () => {
    const text = rendered({ options: { ignore: { 'tool:search': ['/now', "/it's"], 'llm:*': ['/messages/*/id'] } } });
    expect(text).toContain(`
      entrypoint: notifyAgent,
      ignore: { 'tool:search': ['/now', "/it's"], 'llm:*': ['/messages/*/id'] },
    });`);
    expect(text).toContain(
      `//     --ignore tool:search=/now --ignore 'tool:search=/it'\\''s' --ignore 'llm:*=/messages/*/id' --expect-output`,
    );
  });

  test('calls the agent with the input that it was given, where one was', () => {
    const text = rendered({ input: { order_id: 'ORD-1001' } });
    expect(text).toContain(`
      entrypoint: notifyAgent,
      input: { order_id: 'ORD-1001' },
    });
`);
    expect(text).toContain('//     --input <input.json> --expect-output <expected.json> --output');
    expect(rendered({ input: null })).toContain('      input: null,\n');
  });

  test('the same case gives the same bytes', () => {
    expect(rendered()).toBe(rendered());
  });

  test('a CommonJS test requires, in the same order', () => {
    const text = rendered({
      target: { module: 'cjs', typescript: false, globals: false },
      entrypoint: { specifier: './agent.cjs', exportName: 'notifyAgent', file: './agent.cjs' },
    });
    expect(text).toContain(`
require('@acme/exporter-mine/setup'); // must stay first
const { replayCase } = require('@acme/exporter-mine');
const { beforeAll, describe, expect, test } = require('mine');
const { notifyAgent } = require('./agent.cjs');
`);
    expect(text).toContain('  let run;\n');
    expect(text).not.toContain('import ');
  });

  test('a project with typed globals imports no framework', () => {
    const text = rendered({ target: { module: 'cjs', typescript: true, globals: true } });
    expect(text).not.toContain("from 'mine'");
    expect(text).toContain("describe('notify-agent regression'");
  });

  test.each([
    ['default', 'esm', "import agent from '../src/agent.js';"],
    ['default', 'cjs', "const agent = require('../src/agent.js');"],
    ['test', 'esm', "import { test as agent } from '../src/agent.js';"],
    ['expected', 'esm', "import { expected as agent } from '../src/agent.js';"],
    ['delete', 'cjs', "const { delete: agent } = require('../src/agent.js');"],
    ['läuft', 'esm', "import { läuft as agent } from '../src/agent.js';"],
    ['run$1', 'esm', "import { run$1 } from '../src/agent.js';"],
  ] as const)('export %s in %s is taken as %s', (exportName, module, line) => {
    const text = rendered({
      target: { module, typescript: false, globals: false },
      entrypoint: { ...NOTIFY_CASE.entrypoint, exportName },
    });
    expect(text).toContain(`\n${line}\n`);
    expect(text).toMatch(exportName === 'run$1' ? /entrypoint: run\$1\b/ : /entrypoint: agent\b/);
  });

  test('without an expectation the recorded output is pinned, and the names say so', () => {
    const text = renderTest({ ...unstated, title: 'notify-agent behaves as recorded' }, dialect);
    expect(text).toContain('const recorded = {');
    expect(text).toContain("test('returns the recorded output'");
    expect(text).not.toContain('expected.json');
    expect(text).not.toContain('corrected');
  });

  test('without an expectation a failed run is pinned by the name of its error', () => {
    const text = renderTest(
      { ...unstated, recordedEnd: 'failed', recordedFailure: { type: 'TimeoutError', message: 'late' } },
      dialect,
    );
    expect(text).toContain("test('fails as it was recorded', () => {\n    expect(run).toHaveThrown('TimeoutError');");
    expect(text).not.toContain('toHaveOutput');
  });

  test('without an expectation a run that did not end is pinned by its calls alone', () => {
    const text = renderTest({ ...unstated, recordedEnd: 'unknown' }, dialect);
    expect(text).toContain('toHaveReplayed');
    expect(text).not.toContain('toHaveOutput');
    expect(text.endsWith('  });\n});\n')).toBe(true);
  });

  test.each([[false], [true]])('nor one of whose output nothing was recorded: meant so %s', (same) => {
    const text = renderTest({ ...unstated, recordedOutput: null, ...(same ? { same } : {}) }, dialect);
    expect(text).toContain('toHaveReplayed');
    expect(text).not.toContain('toHaveOutput');
    const stated = renderTest({ ...unstated, recordedOutput: null, expected: null }, dialect);
    expect(stated).toContain('expect(run).toHaveOutput(');
  });

  test('a run that returned nothing is pinned to undefined', () => {
    const text = renderTest({ ...unstated, recordedOutput: { $stepfork: 'undefined' } }, dialect);
    expect(text).toContain('    expect(run).toHaveOutput(undefined);\n');
    expect(text).not.toContain('const ');
  });

  test('a lone [] is given the type that TypeScript cannot infer', () => {
    expect(rendered({ expected: [] })).toContain('const expected: unknown[] = [];');
  });

  test('a part of the output is matched', () => {
    const text = renderTest({ ...unstated, match: { should_notify: true } }, dialect);
    expect(text).toContain('const expected = { should_notify: true };');
    expect(text).toContain(`  test('returns the corrected output', () => {
    expect(run).toMatchOutput(expected);
  });`);
    expect(text).toContain('//     --expect-match <expected.json> --output');
  });

  test('an expected error is named, and its message where one is given', () => {
    const text = renderTest({ ...unstated, error: { type: 'RefundError', message: "it's late" } }, dialect);
    expect(text).toContain(`  test('throws the expected error', () => {
    expect(run).toHaveThrown('RefundError', "it's late");
  });`);
    expect(text).toContain(`--expect-error 'RefundError:it'\\''s late' --output`);
    expect(renderTest({ ...unstated, error: { type: 'RefundError' } }, dialect)).toContain(
      "expect(run).toHaveThrown('RefundError');",
    );
  });

  test('B252 expected steps are a test of their own, beside an output or alone', () => {
    const trajectory = { called: ['order_status'], max_steps: 1 };
    expect(rendered({ trajectory })).toContain(`const trajectory = { called: ['order_status'], max_steps: 1 };

describe(`);
    expect(rendered({ trajectory })).toContain(`  test('returns the corrected output', () => {
    expect(run).toHaveOutput(expected);
  });

  test('takes the expected steps', () => {
    expect(run).toHaveTrajectory(trajectory);
  });
});
`);
    expect(renderTest({ ...unstated, trajectory }, dialect)).not.toContain('toHaveOutput');
    const pinned = renderTest({ ...unstated, trajectory, same: true }, dialect);
    expect(pinned).toContain('expect(run).toHaveOutput(recorded);');
    expect(pinned).toContain('--expect-same --expect-trajectory <trajectory.json>');
  });

  test('replays as it is told, and says so in the command that writes it anew', () => {
    const text = rendered({
      options: {
        mode: 'hybrid',
        liveLlms: ['gpt-4o'],
        order: 'any',
        allow: ['db.test:5432'],
        skipSleeps: true,
        now: '2026-01-31T12:00:00Z',
      },
    });
    expect(text).toContain(`
      mode: 'hybrid',
      liveLlms: ['gpt-4o'],
      order: 'any',
      allow: ['db.test:5432'],
      skipSleeps: true,
      now: new Date('2026-01-31T12:00:00Z'),
    });
`);
    expect(text).toContain(
      '//     --mode hybrid --live-llm gpt-4o --order any --allow db.test:5432 --now 2026-01-31T12:00:00Z --skip-sleeps --expect',
    );
    expect(rendered({ options: { now: 'real', mode: 'live', allowLiveTools: [] } })).toContain(`
      mode: 'live',
      allowLiveTools: [],
      now: 'real',
`);
  });

  test('a recording that lies elsewhere is linked again when the test is written anew', () => {
    expect(rendered({ trace: { path: '../traces/failure.sftrace' } })).toContain(' --no-copy --output ');
    expect(rendered()).not.toContain('--no-copy');
  });

  test('a recording whose digest is not known is not pinned', () => {
    expect(rendered({ trace: { path: '../traces/failure.sftrace' } })).not.toContain('digest');
  });

  test('many calls are counted, not listed', () => {
    const recordedCalls = Array.from({ length: 40 }, (_, index) => ({ kind: 'tool' as const, name: `t${index}` }));
    expect(rendered({ recordedCalls })).toContain('tool t7 and 32 more\n');
    expect(rendered({ recordedCalls: [] })).toContain('Recorded calls: none\n');
  });

  test('paths are quoted for a shell', () => {
    const text = rendered({ trace: { path: "../my traces/it's $(x).sftrace" } });
    expect(text).toContain(`stepfork export '../my traces/it'\\''s $(x).sftrace' --to mine`);
  });
});

describe('renderFiles', () => {
  const long = { lines: Array.from({ length: 50 }, (_, index) => `line ${index}`) };

  test('is the test alone where all that is expected is short', () => {
    expect(renderFiles(NOTIFY_CASE, dialect)).toEqual([{ path: 'notify-agent.test.ts', text: rendered() }]);
  });

  test('has a long expectation in a file beside the test', () => {
    const [test, data, ...others] = renderFiles({ ...NOTIFY_CASE, expected: long }, dialect);
    expect(data?.path).toBe('notify-agent.expected.json');
    expect(JSON.parse(data?.text ?? '')).toEqual(long);
    expect(others).toEqual([]);
    expect(test?.text).not.toContain('const expected');
    expect(test?.text).toContain(
      "import {\n  expectation,\n  type ReplayReport,\n  replayCase,\n} from '@acme/exporter-mine';",
    );
    expect(test?.text).toContain(`
    expect(run).toHaveOutput(expectation('./notify-agent.expected.json'));
`);
    expect(test?.text).toContain('--expect-output ./notify-agent.expected.json --output');
  });

  test('counts 4 kB on one line as long, and has a file for long steps, too', () => {
    const paths = renderFiles(
      {
        ...NOTIFY_CASE,
        fileName: 'notify.spec.mjs',
        expected: 'x'.repeat(5_000),
        trajectory: { called: long.lines },
      },
      dialect,
    ).map(({ path }) => path);
    expect(paths).toEqual(['notify.spec.mjs', 'notify.expected.json', 'notify.trajectory.json']);
    expect(renderFiles({ ...NOTIFY_CASE, expected: 'x'.repeat(4_000) }, dialect)).toHaveLength(1);
  });
});
