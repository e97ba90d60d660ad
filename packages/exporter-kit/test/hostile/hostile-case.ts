import { join } from 'node:path';
import { buildCase, type CaseOptions, type RegressionCase } from '@stepfork/exporter-kit';
import { addEvent, createTrace, runEndEvent, toolCallEvent } from '@stepfork/trace-format';
import fc from 'fast-check';
import { anyJson, anyText } from '../json-arbitrary.js';

const target = fc.record({
  module: fc.constantFrom('esm' as const, 'cjs' as const),
  typescript: fc.boolean(),
  globals: fc.boolean(),
});

/** Whatever can be exported, words of the language and of the test itself included. */
const exportName = fc.oneof(
  fc.constantFrom('notifyAgent', 'default', 'test', 'run', 'delete', '__proto__', 'läuft', 'expected', 'constructor'),
  fc.stringMatching(/^[A-Za-z_$][\w$]{0,8}$/),
);

const options: fc.Arbitrary<CaseOptions> = fc.record(
  {
    mode: fc.constantFrom('hybrid' as const, 'live' as const),
    liveLlms: fc.array(anyText),
    ignore: fc.dictionary(anyText, fc.array(anyText)),
    allow: fc.array(anyText),
    now: anyText,
    skipSleeps: fc.constant(true as const),
  },
  { requiredKeys: [] },
);

/** A case with hostile text wherever a bundle, a file name or a user can put some. */
export const hostileCase: fc.Arbitrary<RegressionCase> = fc
  .record({
    title: anyText,
    agentName: anyText,
    runId: anyText,
    createdAt: anyText,
    problem: anyText,
    fileName: anyText,
    target,
    specifier: anyText,
    file: anyText,
    exportName,
    path: anyText,
    digest: fc.option(anyText, { nil: undefined }),
    expectation: fc.oneof(
      fc.constant({}),
      anyJson.map((expected) => ({ expected })),
      anyJson.map((match) => ({ match })),
      fc.record({ type: anyText, message: anyText }).map((error) => ({ error })),
    ),
    trajectory: fc.option(
      fc.record({
        called: fc.array(anyText),
        counts: fc.dictionary(anyText, fc.nat()),
        arguments: fc.array(fc.record({ name: anyText, value: anyJson })),
      }),
      { nil: undefined },
    ),
    options: fc.option(options, { nil: undefined }),
    recordedOutput: anyJson,
    failure: fc.option(fc.record({ type: anyText, message: anyText }), { nil: null }),
    calls: fc.array(fc.record({ kind: fc.constantFrom('tool' as const, 'llm' as const), name: anyText }), {
      maxLength: 3,
    }),
  })
  .map(({ specifier, file, exportName: name, path, digest, expectation, trajectory, failure, calls, ...texts }) => {
    const { options: replaying, ...rest } = texts;
    return {
      ...rest,
      entrypoint: { specifier, exportName: name, file },
      trace: { path, ...(digest === undefined ? {} : { digest }) },
      ...expectation,
      ...(trajectory === undefined ? {} : { trajectory }),
      ...(replaying === undefined ? {} : { options: replaying }),
      recordedEnd: failure === null ? ('returned' as const) : ('failed' as const),
      recordedFailure: failure,
      recordedCalls: calls,
      timeoutMs: 30_000,
    };
  });

/** The format has no empty names, and no half characters in them. */
const named = anyText.map((text) => (text || ' ').toWellFormed());

const hostilePath = fc.array(anyText, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));

/** The same, as it comes of a recording, paths and a title in the ordinary way. */
export const builtCase: fc.Arbitrary<RegressionCase> = fc
  .record({
    agentName: named,
    tool: named,
    tracePath: hostilePath,
    entrypointFile: fc
      .tuple(hostilePath, fc.constantFrom('.ts', '.mts', '.cts', '.tsx', '.js', ''))
      .map((all) => all.join('')),
    entrypointAlias: fc.option(anyText, { nil: undefined }),
    testFile: hostilePath,
    exportName,
    title: fc.option(anyText, { nil: undefined }),
    output: anyJson,
    expected: fc.option(anyJson, { nil: undefined }),
    target,
    importSuffix: fc.constantFrom('js' as const, 'none' as const, 'ts' as const),
  })
  .map(({ agentName, tool, output, importSuffix, entrypointAlias, title, expected, ...input }) => {
    const trace = createTrace({ agentName });
    addEvent(trace, toolCallEvent({ name: tool, input: output }));
    addEvent(trace, runEndEvent({ run_status: 'completed', output }));
    return buildCase({
      ...input,
      trace,
      tracePath: join('traces', input.tracePath),
      target: { ...input.target, importSuffix },
      ...(entrypointAlias === undefined ? {} : { entrypointAlias }),
      ...(title === undefined ? {} : { title }),
      ...(expected === undefined ? {} : { expected }),
    });
  });
