import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { startAgentHost } from '../support/in-agent-host.js';
import { type Ended, stepfork } from '../support/stepfork.js';

const host = startAgentHost();
let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'failure.sftrace');
}, 120_000);
afterAll(() => {
  host.stop();
  project?.remove();
});

const run = (...argv: string[]): Promise<Ended> => host.run(project.folder, ...argv);
const exported = (...argv: string[]): Promise<Ended> => run('export', 'failure.sftrace', ...argv);
/** In a process of its own. */
const exportedAlone = (...argv: string[]): Promise<Ended> =>
  stepfork(project.folder, 'export', 'failure.sftrace', ...argv);
const BUGGY = ['--entrypoint', 'agent.mjs:runAgent'] as const;
const EXPECTING = [...BUGGY, '--expect-output', 'expected.json'] as const;

const exporterNamed = (name: string, contract = 1): string => `export default {
  contract: ${contract},
  name: ${JSON.stringify(name)},
  fileSuffix: () => '.spec.js',
  render: ({ fileName, entrypoint }) => [{ path: fileName, text: '// ' + entrypoint.specifier + '\\n' }],
};
`;

/** Takes one option, by a schema of its own. */
const STYLED = `export default {
  contract: 1,
  name: 'styled',
  fileSuffix: () => '.spec.js',
  options: {
    '~standard': {
      version: 1,
      vendor: 'acme',
      validate: ({ style = 'plain', ...rest }) =>
        ['plain', 3].includes(style) && Object.keys(rest).length === 0
          ? { value: { style } }
          : { issues: [{ message: 'plain or 3', path: ['style'] }] },
    },
  },
  render: ({ fileName }, { style }) => [{ path: fileName, text: '// ' + typeof style + ' ' + style + '\\n' }],
};
`;

describe('stepfork export', () => {
  it('B278 writes a vitest test, and says what it says today and how to run it, exit 0', async () => {
    const { exitCode, stdout, stderr } = await exportedAlone(
      '--to',
      'vitest',
      ...EXPECTING,
      '--output',
      'test/notify.test.ts',
    );
    expect(stdout).toMatch(
      /^replayed agent\.mjs:runAgent: the recording still matches, 2 of 2 recorded calls answered$/m,
    );
    expect(stdout).toMatch(
      /^the test is red on this code: behavior mismatch at 'should_notify': expected true, got false$/m,
    );
    expect(stdout).toMatch(/^wrote test\/notify\.test\.ts$/m);
    expect(stdout).toMatch(/^run it: npx vitest run test\/notify\.test\.ts$/m);
    expect(stderr).toBe(
      'stepfork: this project lacks @stepfork/exporter-vitest, which the test imports. Install it: npm install --save-dev @stepfork/exporter-vitest\n',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^wrote test\/__traces__\/notify\.sftrace$/m);
    expect(project.read('test/notify.test.ts')).toContain("trace: './__traces__/notify.sftrace',");
  });

  it('B278 writes a jest test under the name it chooses', async () => {
    const { exitCode, stdout } = await exported(
      '--to',
      'jest',
      '--entrypoint',
      'agent.mjs:fixed',
      '--expect-output',
      'expected.json',
    );
    expect(stdout).toMatch(/^the test is green on this code$/m);
    expect(stdout).toMatch(/^wrote failure\.test\.mjs$/m);
    expect(stdout).toMatch(/^run it: NODE_OPTIONS=--experimental-vm-modules npx jest failure\.test\.mjs$/m);
    expect(exitCode).toBe(0);
  });

  it('refuses a test whose calls are not those of the code, exit 1, unless forced', async () => {
    const drifted = ['--to', 'vitest', '--entrypoint', 'agent.mjs:drifted', '--output', 'drifted.test.ts'] as const;
    const refused = await exported(...drifted);
    expect(refused.stderr).toMatch(
      /^stepfork: the recording does not match agent\.mjs:drifted, so the test would be red whatever it expects: [^\n]*order_status[^\n]* --force\.\n$/,
    );
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(existsSync(project.path('drifted.test.ts'))).toBe(false);
    const forced = await exported(...drifted, '--force');
    expect(forced.stdout).toMatch(
      /^replayed agent\.mjs:drifted: the recording no longer matches, so the test is red until it does: .*order_status/m,
    );
    expect(forced.stdout).toMatch(/^wrote drifted\.test\.ts$/m);
    expect(forced.exitCode).toBe(0);
  });

  it('says so where the recording holds no input to call the agent with', async () => {
    await project.record('runAgent', 'inputless.sftrace', null);
    const argv = ['--to', 'vitest', '--entrypoint', 'agent.mjs:careless', '--output', 'inputless.test.ts'] as const;
    const refused = await run('export', 'inputless.sftrace', ...argv);
    expect(refused.stderr).toMatch(
      /\(the recording holds no run input, so the entrypoint was called without arguments;/,
    );
    expect(refused.exitCode).toBe(1);
    const forced = await run('export', 'inputless.sftrace', ...argv, '--force');
    expect(forced.stdout).toMatch(
      /^note: the recording holds no run input, so the entrypoint was called without arguments;/m,
    );
    expect(forced.exitCode).toBe(0);
  });

  it('has the test call the agent with the input of a file, where the recording holds none', async () => {
    await project.record('runAgent', 'unfed.sftrace', null);
    project.write('input.json', '{ "order_id": "ORD-1" }');
    const { exitCode, stdout } = await run(
      'export',
      'unfed.sftrace',
      ...['--to', 'vitest', '--entrypoint', 'agent.mjs:fixed', '--expect-output', 'expected.json'],
      ...['--input', 'input.json', '--output', 'with-input.test.js'],
    );
    expect(stdout).toMatch(/^the test is green on this code$/m);
    expect(project.read('with-input.test.js')).toContain("      input: { order_id: 'ORD-1' },\n");
    expect(exitCode).toBe(0);
  });

  it('B279 warns that a test without an expectation only pins what was recorded', async () => {
    const { exitCode, stderr } = await exported('--to', 'vitest', ...BUGGY, '--output', 'pins.test.ts');
    expect(stderr).toMatch(/^stepfork: no expectation was given, so the test only pins what was recorded/);
    expect(exitCode).toBe(0);
  });

  it('pins what was recorded where that is called right, with a warning', async () => {
    const { exitCode, stderr } = await exported(
      '--to',
      'vitest',
      ...BUGGY,
      '--expect-same',
      '--output',
      'same.test.ts',
    );
    expect(stderr).toMatch(/^stepfork: the test pins what was recorded, be it right or wrong, as --expect-same asks\n/);
    expect(project.read('same.test.ts')).toContain('--expect-same');
    expect(exitCode).toBe(0);
  });

  it('copies the recording beside the test, sealed, and has git keep its bytes', async () => {
    project.write('copies/.gitattributes', '*.png binary');
    const argv = ['--to', 'vitest', ...EXPECTING, '--output', 'copies/a.test.ts'] as const;
    const { stdout } = await exported(...argv, '--trace-dir', 'copies');
    expect(stdout).toMatch(/^wrote copies\/a\.test\.ts\nwrote copies\/a\.sftrace\nwrote copies\/\.gitattributes$/m);
    expect(project.read('copies/.gitattributes')).toBe('*.png binary\n*.sftrace -text\n');
    expect(project.read('copies/a.test.ts')).toContain("trace: './a.sftrace',");
    expect(await commandLineIn(project.folder)('validate', 'copies/a.sftrace', '--verify-integrity')).toMatchObject({
      exitCode: 0,
    });
    // The copy is as good as the original: exported from it, the test is the same.
    const again = await run('export', 'copies/a.sftrace', ...argv, '--no-copy');
    expect(again.stdout).toMatch(/^unchanged: copies\/a\.test\.ts$/m);
    expect(again.exitCode).toBe(0);
  });

  it('reads the recording where it lies, with --no-copy', async () => {
    const { stdout } = await exported('--to', 'vitest', ...EXPECTING, '--no-copy', '--output', 'linked/a.test.ts');
    expect(stdout).not.toMatch(/^wrote .*(?:sftrace|gitattributes)/m);
    expect(project.read('linked/a.test.ts')).toContain("trace: '../failure.sftrace',");
    expect(project.read('linked/a.test.ts')).toContain(' --no-copy --output a.test.ts --overwrite');
  });

  it('replaces no other recording beside the test unless told to', async () => {
    await project.record('fixed', 'another.sftrace');
    const argv = ['--to', 'vitest', ...EXPECTING, '--output', 'other/a.test.ts'] as const;
    await exported(...argv);
    rmSync(project.path('other/a.test.ts'));
    const refused = await run('export', 'another.sftrace', ...argv, '--expect-same');
    expect(refused.stderr).toMatch(
      /^stepfork: other\/__traces__\/a\.sftrace is another recording: pass --overwrite to replace it, or name another place with --trace-dir\n$/,
    );
    expect(refused.exitCode).toBe(1);
    const replaced = await run(...['export', 'another.sftrace', ...argv, '--expect-same', '--overwrite']);
    expect(replaced.exitCode).toBe(0);
  });

  it('keeps what a person wrote into the test, showing what it would have changed, exit 1', async () => {
    const argv = ['--to', 'vitest', ...EXPECTING, '--output', 'mine/a.test.ts'] as const;
    await exported(...argv);
    const written = project.read('mine/a.test.ts');
    const unchanged = await exported(...argv);
    expect(unchanged.stdout).toMatch(/^unchanged: mine\/a\.test\.ts\nunchanged: mine\/__traces__\/a\.sftrace$/m);
    expect(unchanged.exitCode).toBe(0);
    const mine = written.replace('    expect(run).toHaveReplayed();', '    expect(run).toHaveTakenAtMost(2);');
    project.write('mine/a.test.ts', mine);
    const refused = await exported(...argv);
    expect(refused.stderr).toMatch(
      /^stepfork: mine\/a\.test\.ts exists and says something else: pass --overwrite[^\n]*\n$/,
    );
    expect(refused.stdout).toContain(
      '\n-     expect(run).toHaveTakenAtMost(2);\n+     expect(run).toHaveReplayed();\n',
    );
    expect(refused.exitCode).toBe(1);
    expect(project.read('mine/a.test.ts')).toBe(mine);
    await exported(...argv, '--overwrite');
    expect(project.read('mine/a.test.ts')).toBe(written);
  });

  it('imports an entrypoint by the path alias by which it was named', async () => {
    const argv = ['--to', 'vitest', '--entrypoint', '@agent:runAgent', '--expect-output', 'expected.json'] as const;
    const { stdout, exitCode } = await exported(...argv, '--output', 'aliased.test.ts');
    expect(stdout).toMatch(/^the test is red on this code: behavior mismatch/m);
    expect(project.read('aliased.test.ts')).toContain("import { runAgent } from '@agent';\n");
    expect(project.read('aliased.test.ts')).toContain(' --entrypoint @agent:runAgent ');
    expect(exitCode).toBe(0);
  });

  it.each([
    ['esm', 'module.test.mjs', 'import { runAgent } from'],
    ['cjs', 'module.test.cjs', 'const { runAgent } = require('],
  ])('writes a jest test as --module %s says', async (module, file, imports) => {
    const { stdout } = await exported('--to', 'jest', ...EXPECTING, '--module', module, '--output', file);
    expect(stdout).toMatch(/, as --module says/);
    expect(project.read(file)).toContain(imports);
  });

  it('has the test replay as it is told', async () => {
    const { exitCode } = await exported(
      ...['--to', 'vitest', ...EXPECTING, '--order', 'strict', '--allow', 'db.test', '--now', '2026-01-31'],
      ...['--skip-sleeps', '--ignore', 'tool:order_status=/now', '--output', 'options.test.ts'],
    );
    expect(project.read('options.test.ts')).toContain(`      order: 'strict',
      ignore: { 'tool:order_status': ['/now'] },
      allow: ['db.test'],
      skipSleeps: true,
      now: new Date('2026-01-31'),
    });
`);
    expect(exitCode).toBe(0);
  });

  it('has the test replay by the rules of the project, and needs no entrypoint that it names', async () => {
    project.write(
      'configured/stepfork.config.json',
      JSON.stringify({
        entrypoints: { 'notify-agent': '../agent.mjs:runAgent' },
        ignore: { 'tool:order_status': ['/now'] },
        guard: { allow: ['db.test'] },
      }),
    );
    const { stdout, stderr, exitCode } = await host.run(
      project.path('configured'),
      ...['export', '../failure.sftrace', '--to', 'vitest', '--expect-output', '../expected.json'],
      ...['--output', 'configured.test.ts'],
    );
    expect({ stdout, stderr, exitCode }).toMatchObject({ exitCode: 0 });
    expect(project.read('configured/configured.test.ts')).toContain(`      ignore: { 'tool:order_status': ['/now'] },
      allow: ['db.test'],
`);
  });

  it('refuses a draft that nobody edited, exit 2, unless it is called right', async () => {
    await commandLineIn(project.folder)('expect', 'failure.sftrace', '--output', 'draft.json');
    for (const flag of ['--expect-output', '--expect-match']) {
      const argv = ['--to', 'vitest', '--entrypoint', 'agent.mjs:talking', flag, 'draft.json'] as const;
      const refused = await exported(...argv, '--output', 'draft.test.ts');
      expect(refused.stderr).toMatch(
        /^stepfork: what 'draft\.json' expects is what was recorded, [^\n]* Edit the file to what is right, or pass --expect-same as well if that was\.\n$/,
      );
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    }
    const argv = ['--to', 'vitest', ...BUGGY, '--expect-output', 'draft.json', '--expect-same'] as const;
    const { exitCode, stdout, stderr } = await exported(...argv, '--output', 'draft.test.ts');
    expect(stdout).toMatch(/^the test is green on this code$/m);
    expect(stderr).toMatch(/^stepfork: the test pins what was recorded/);
    expect(project.read('draft.test.ts')).toContain('--expect-output <expected.json> --expect-same --output');
    expect(exitCode).toBe(0);
  });

  it('pins the recording by its digest, that of the folder as that of what it is packed to', async () => {
    const { exitCode } = await exported('--to', 'vitest', ...EXPECTING, '--output', 'folder-digest.test.ts');
    expect(exitCode).toBe(0);
    const digest = /digest: '(sha256-[^']+)'/.exec(project.read('folder-digest.test.ts'))?.[1];
    await commandLineIn(project.folder)('pack', 'failure.sftrace', '--output', 'one-file.sftrace');
    const argv = ['--to', 'vitest', ...EXPECTING, '--output', 'file-digest.test.ts'];
    await run('export', 'one-file.sftrace', ...argv);
    expect(project.read('file-digest.test.ts')).toContain(`digest: '${digest}'`);
  });

  it.each<[what: string, file: string, version: string, argv: string[], says: RegExp, holds: string]>([
    [
      'a part of the output',
      'match',
      'runAgent',
      ['--expect-match', 'part.json'],
      /^the test is red on this code: behavior mismatch at 'should_notify': expected true, got false$/m,
      'expect(run).toMatchOutput(expected);',
    ],
    [
      'a part of the output that the fix has',
      'match-fixed',
      'fixed',
      ['--expect-match', 'part.json'],
      /^the test is green on this code$/m,
      'const expected = { should_notify: true };',
    ],
    [
      'an error',
      'error',
      'runAgent',
      ['--expect-error', 'TypeError: the answer'],
      /^the test is red on this code: expected the agent to throw TypeError with "the answer" in its message, but it returned /m,
      "expect(run).toHaveThrown('TypeError', 'the answer');",
    ],
    [
      'an error that comes',
      'error-fixed',
      'throwing',
      ['--expect-error', 'TypeError:cannot read'],
      /^the test is green on this code$/m,
      "expect(run).toHaveThrown('TypeError', 'cannot read');",
    ],
    [
      'steps and an output',
      'steps',
      'fixed',
      ['--expect-trajectory', 'steps.json', '--expect-output', 'expected.json'],
      /^the test is green on this code$/m,
      'expect(run).toHaveTrajectory(trajectory);',
    ],
  ])('writes a test that expects %s', async (_, file, version, argv, says, holds) => {
    project.write('part.json', '{ "should_notify": true }');
    project.write('steps.json', '{ "called": ["order_status"], "max_steps": 2 }');
    const to = ['--to', 'vitest', '--entrypoint', `agent.mjs:${version}`, '--output', `${file}.test.ts`];
    const { exitCode, stdout } = await exported(...to, ...argv);
    expect(stdout).toMatch(says);
    expect(project.read(`${file}.test.ts`)).toContain(holds);
    expect(exitCode).toBe(0);
  });

  it('says that steps which the recording does not have can never come, and judges no output beside them', async () => {
    project.write('other-steps.json', '{ "not_called": ["order_status"] }');
    const { exitCode, stdout, stderr } = await exported(
      ...['--to', 'vitest', ...BUGGY, '--expect-trajectory', 'other-steps.json', '--output', 'other-steps.test.ts'],
    );
    expect(stdout).toMatch(/^the test is red on this code: expected tool 'order_status' not to be called, but it was/m);
    expect(stderr).toMatch(/^stepfork: the recorded calls themselves are not the expected steps, [^\n]+\n/);
    expect(stderr).not.toContain('pins');
    expect(project.read('other-steps.test.ts')).not.toContain('toHaveOutput');
    expect(exitCode).toBe(0);
  });

  it('writes a long expectation beside the test, and leaves alone what lies there', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index}`);
    project.write('long.json', JSON.stringify({ lines }));
    const argv = ['--to', 'vitest', ...BUGGY, '--expect-output', 'long.json', '--output', 'beside/long.test.ts'];
    project.write('beside/long.expected.json', 'mine');
    const refused = await exported(...argv);
    expect(refused.stderr).toMatch(
      /^stepfork: [^\n]*long\.expected\.json exists and says something else: pass --overwrite[^\n]*\n$/,
    );
    expect(refused.exitCode).toBe(1);
    expect(existsSync(project.path('beside/long.test.ts'))).toBe(false);
    const { exitCode, stdout } = await exported(...argv, '--overwrite');
    expect(stdout).toMatch(/^wrote beside\/long\.test\.ts\nwrote beside\/long\.expected\.json$/m);
    expect(JSON.parse(project.read('beside/long.expected.json'))).toEqual({ lines });
    expect(project.read('beside/long.test.ts')).toContain("toHaveOutput(expectation('./long.expected.json'))");
    expect(exitCode).toBe(0);
  });

  it('warns of a name under which the runner would not find the test', async () => {
    const { exitCode, stderr } = await exported('--to', 'vitest', ...EXPECTING, '--output', 'regression.ts');
    expect(stderr).toMatch(
      /^stepfork: vitest finds [^\n]* not regression\.ts\. Name it regression\.test\.ts with --output\.\n/,
    );
    expect(exitCode).toBe(0);
  });

  it('B278 leaves a file alone that exists, exit 1, unless told to replace it', async () => {
    project.write('taken.test.ts', 'mine');
    // Refused before the agent runs: it would say so on stderr.
    const talking = ['--to', 'vitest', '--entrypoint', 'agent.mjs:talking'] as const;
    const refused = await exportedAlone(...talking, '--output', 'taken.test.ts');
    expect(refused.stderr).toMatch(/^stepfork: [^\n]*taken\.test\.ts[^\n]*--overwrite[^\n]*\n$/);
    expect(refused.stdout).toMatch(/^- mine$/m);
    expect(refused.exitCode).toBe(1);
    expect(project.read('taken.test.ts')).toBe('mine');
    const replaced = await exported('--to', 'vitest', ...EXPECTING, '--output', 'taken.test.ts', '--overwrite');
    expect(replaced.exitCode).toBe(0);
    expect(project.read('taken.test.ts')).not.toBe('mine');
  });

  it('B278 never replaces a folder, exit 1', async () => {
    mkdirSync(project.path('folder.test.ts'));
    const refused = await exported('--to', 'vitest', ...EXPECTING, '--output', 'folder.test.ts', '--overwrite');
    expect(refused.stderr).toMatch(/^stepfork: [^\n]*folder\.test\.ts is a folder[^\n]*\n$/);
    expect(refused.exitCode).toBe(1);
  });

  it.each([['agent.mjs'], ['expected.json']])('never replaces what the test is made of: %s', async (output) => {
    const before = project.read(output);
    const args = ['--to', 'vitest', ...EXPECTING, '--output', output, '--overwrite'];
    const { exitCode, stderr } = await exported(...args);
    expect(stderr).toBe(
      `stepfork: the test is made of '${output}' and cannot be written over it. Name another file with --output.\n`,
    );
    expect([exitCode, project.read(output)]).toEqual([2, before]);
  });

  it('names no file by -, exit 2', async () => {
    const { exitCode, stdout, stderr } = await exported('--to', 'vitest', ...EXPECTING, '--output', '-');
    expect(stderr).toMatch(/^stepfork: '--output -' names no file: [^\n]+\n$/);
    expect([exitCode, stdout]).toEqual([2, '']);
  });

  it('takes a slip for one, and does not advise to install it', async () => {
    const { exitCode, stderr } = await exported('--to', 'vitst', ...EXPECTING);
    expect([exitCode, stderr]).toEqual([
      2,
      "stepfork: this project has no exporter '@stepfork/exporter-vitst'. Did you mean 'vitest'?\n",
    ]);
  });

  it('says what the agent threw where that kept it from its calls', async () => {
    project.write('unset.mjs', "export const unset = () => { throw new TypeError('no URL is set'); };\n");
    const { exitCode, stderr } = await exported(
      '--to',
      'vitest',
      '--entrypoint',
      'unset.mjs:unset',
      '--output',
      'unset.test.ts',
    );
    expect(stderr).toContain('(the agent threw TypeError: no URL is set)');
    expect(exitCode).toBe(1);
  });

  it('takes the exporter of the project before its own', async () => {
    const home = 'node_modules/@stepfork/exporter-jest';
    project.write(
      `${home}/package.json`,
      '{ "name": "@stepfork/exporter-jest", "type": "module", "exports": { "import": "./index.js" } }',
    );
    project.write(`${home}/index.js`, exporterNamed('jest'));
    const { stdout, stderr } = await exportedAlone('--to', 'jest', ...EXPECTING, '--output', 'own.spec.js');
    expect(stdout).toContain('wrote own.spec.js');
    expect(stderr).toBe('');
    expect(project.read('own.spec.js')).toBe('// ./agent.mjs\n');
  });

  it.each([
    ['a package of any name', '@acme/exporter-x'],
    ['a file', './my-exporter.js'],
    ['a TypeScript file', './my-exporter.ts'],
    ['a CommonJS module compiled from an ES module', './my-exporter.cjs'],
  ])('takes an exporter from %s', async (_, to) => {
    project.write(
      'node_modules/@acme/exporter-x/package.json',
      '{ "name": "@acme/exporter-x", "type": "module", "exports": "./index.js" }',
    );
    for (const file of ['node_modules/@acme/exporter-x/index.js', 'my-exporter.js', 'my-exporter.ts']) {
      project.write(file, exporterNamed('mine'));
    }
    project.write(
      'my-exporter.cjs',
      exporterNamed('mine').replace(
        'export default',
        "Object.defineProperty(exports, '__esModule', { value: true });\nexports.default =",
      ),
    );
    rmSync(project.path('failure.spec.js'), { force: true });
    const { exitCode, stdout } = await exported('--to', to, ...EXPECTING);
    expect(stdout).toContain('wrote failure.spec.js\n');
    expect(exitCode).toBe(0);
  });
});

describe('what could not be recorded', () => {
  beforeAll(async () => {
    project.write('odd.mjs', "export const odd = async () => ({ status: 'ok', run: () => 1 });\n");
    const { record } = await project.recorder();
    const { odd } = (await import(project.path('odd.mjs'))) as { odd: () => Promise<unknown> };
    await record('odd', { output: project.path('odd.sftrace') }, () => odd());
    project.write('placeholder.json', '{ "status": "ok", "run": { "$stepfork": "function" } }');
  });

  it.each([
    ['--expect-same', 'what was recorded of the output holds a placeholder at $.run'],
    ['--expect-output=placeholder.json', 'the expected output holds a placeholder at $.run'],
  ])('is no expectation: %s, exit 2', async (flag, said) => {
    const { exitCode, stderr } = await run(
      ...['export', 'odd.sftrace', '--to', 'vitest', '--entrypoint', 'odd.mjs:odd', flag, '--output', 'odd.test.mjs'],
    );
    expect(stderr).toContain(said);
    expect(exitCode).toBe(2);
    expect(existsSync(project.path('odd.test.mjs'))).toBe(false);
  });
});

describe('an option of the exporter itself', () => {
  const styled = (...argv: string[]): Promise<Ended> =>
    exported('--to', './styled.js', ...EXPECTING, '--output', 'styled.spec.js', '--overwrite', ...argv);
  beforeAll(() => project.write('styled.js', STYLED));

  it.each([
    [[], '// string plain\n'],
    [['--option', 'style=plain'], '// string plain\n'],
    [['--option', 'style=3'], '// number 3\n'],
  ])('is what its schema makes of it: %j', async (flags, text) => {
    expect((await styled(...flags)).exitCode).toBe(0);
    expect(project.read('styled.spec.js')).toBe(text);
  });

  it.each([
    ['style=loud', "exporter 'styled' refuses its options: style: plain or 3. Correct --option."],
    ['style', "--option needs a name and a value, like style=terse, not 'style'"],
  ])('is refused where it is none: %s, exit 2', async (option, line) => {
    const { exitCode, stderr } = await styled('--option', option);
    expect(stderr).toContain(line);
    expect(exitCode).toBe(2);
  });

  it('is refused by an exporter that takes none, exit 2', async () => {
    const { exitCode, stderr } = await exported('--to', 'vitest', ...EXPECTING, '--option', 'style=plain');
    expect(stderr).toContain("exporter 'vitest' takes no options, but was given style");
    expect(exitCode).toBe(2);
  });
});

/** The flags that say how the run should end. */
const ENDS = {
  'expect-output': ['--expect-output', 'expected.json'],
  'expect-match': ['--expect-match', 'expected.json'],
  'expect-error': ['--expect-error', 'TypeError'],
  'expect-same': ['--expect-same'],
} as const;
const EXCLUSIVE = [
  ['expect-output', 'expect-match'],
  ['expect-output', 'expect-error'],
  ['expect-match', 'expect-error'],
  ['expect-error', 'expect-same'],
] as const;

/** Flags that contradict each other, or have no meaning alone. */
const MISFITS: readonly (readonly [string[], RegExp])[] = [
  [['--mode', 'hybrid'], /--mode hybrid needs --live-llm <model>/],
  [['--live-llm', 'gpt'], /--live-llm is for --mode hybrid/],
  [['--allow-live-tool', 'x'], /--allow-live-tool is for --mode live/],
  [['--mode', 'live', '--allow', 'db.test'], /--allow is not for --mode live, which stops nothing/],
  [['--now', 'yesterday'], /--now needs recorded, real or a date like/],
  [['--no-copy', '--trace-dir', 'x'], /--no-copy and --trace-dir cannot be given together/],
  [['--module', 'cjs'], /--module cjs is for jest: vitest loads ES modules/],
];

describe('stepfork export, given what it cannot use', () => {
  beforeAll(() => {
    project.write('broken.json', '{\n  "a": ,\n}');
    project.write('infinite.json', '1e400');
    project.write('throws.js', 'throw new Error("not today");\n');
    project.write('old-exporter.js', exporterNamed('old', 0));
    project.write('no-exporter.js', 'export const x = 1;\n');
  });

  const refused = async (run: (...argv: string[]) => Promise<Ended>, argv: string[], line: RegExp): Promise<void> => {
    const { exitCode, stdout, stderr } = await run(...argv, '--output', 'nothing.test.ts');
    expect(stderr).toMatch(line);
    expect(stderr).toMatch(/^stepfork: [^\n]+\n$/);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(existsSync(project.path('nothing.test.ts'))).toBe(false);
  };

  it.each<[what: string, argv: string[], line: RegExp]>([
    [
      'an exporter that is not installed',
      ['--to', 'mocha', ...EXPECTING],
      /no exporter '@stepfork\/exporter-mocha'\. Install it: npm install --save-dev @stepfork\/exporter-mocha\n/,
    ],
    ['an exporter file that is not there', ['--to', './none.js', ...EXPECTING], /no exporter file '\.\/none\.js'\./],
    [
      'an exporter that throws',
      ['--to', './throws.js', ...EXPECTING],
      /exporter '\.\/throws\.js' threw while loading: not today\./,
    ],
    ['an exporter of another contract', ['--to', './old-exporter.js', ...EXPECTING], /contract 0/],
    ['a file that exports no exporter', ['--to', './no-exporter.js', ...EXPECTING], /is not an exporter/],
  ])('B278 refuses %s in one line, exit 2, and writes nothing', async (_, argv, line) => refused(exported, argv, line));

  it.each<[what: string, argv: string[], line: RegExp]>([
    [
      'an entrypoint file that is not there',
      ['--to', 'vitest', '--entrypoint', 'none.ts:run'],
      /entrypoint file 'none\.ts' does not exist\./,
    ],
    [
      'an entrypoint file that is a folder',
      ['--to', 'vitest', '--entrypoint', 'node_modules:run'],
      /entrypoint file 'node_modules' is a folder\. Give the path of a file in it\./,
    ],
    ['a member of an export', ['--to', 'vitest', '--entrypoint', 'agent.mjs:agents.nested.runAgent'], /cannot import/],
    [
      'an expectation that is not JSON',
      ['--to', 'vitest', ...BUGGY, '--expect-output', 'broken.json'],
      /'broken\.json' is not JSON: .*line 2/,
    ],
    ...(['--expect-output', '--expect-match', '--input'] as const).map((flag): [string, string[], RegExp] => [
      `a number too large in ${flag}`,
      ['--to', 'vitest', ...BUGGY, flag, 'infinite.json'],
      /'infinite\.json' holds a number at \$ that is too large: .* Correct the file\./,
    ]),
    [
      'an expected part that is not there',
      ['--to', 'vitest', ...BUGGY, '--expect-match', 'none.json'],
      /the expected part of the output 'none\.json' does not exist\./,
    ],
    [
      'a trajectory that is none',
      ['--to', 'vitest', ...BUGGY, '--expect-trajectory', 'expected.json'],
      /the expected trajectory 'expected\.json' is none: the expectation may only have the keys called, /,
    ],
    [
      'an error without a name',
      ['--to', 'vitest', ...BUGGY, '--expect-error', ': too late'],
      /--expect-error needs the name of an error, like RefundError or 'RefundError: too late', not ': too late'\n/,
    ],
    ...EXCLUSIVE.map(([one, other]): [string, string[], RegExp] => [
      `${one} and ${other} together`,
      ['--to', 'vitest', ...BUGGY, ...ENDS[one], ...ENDS[other]],
      new RegExp(`'--${one}' and '--${other}' cannot be given together\\.|'--${other}' and '--${one}' cannot`),
    ]),
    ...MISFITS.map(([argv, says]): [string, string[], RegExp] => [
      argv.join(' '),
      ['--to', 'vitest', ...BUGGY, ...argv],
      says,
    ]),
    [
      'an input that is not there',
      ['--to', 'vitest', ...BUGGY, '--input', 'none.json'],
      /the input 'none\.json' does not/,
    ],
  ])('B253 B258 B278 refuses %s in one line before it loads anything, exit 2', async (_, argv, line) =>
    refused(commandLineIn(project.folder).bind(null, 'export', 'failure.sftrace'), argv, line),
  );

  it('B278 refuses a recording that is not whole, exit 2', async () => {
    await project.record('runAgent', 'torn.sftrace');
    project.write(
      'torn.sftrace/events.jsonl',
      project.read('torn.sftrace/events.jsonl').replace('"step":3', '"step":0'),
    );
    const { exitCode, stderr } = await commandLineIn(project.folder)(
      'export',
      'torn.sftrace',
      '--to',
      'vitest',
      ...BUGGY,
    );
    expect(stderr).toMatch(/^stepfork: 'torn\.sftrace' is not a whole recording: [^\n]+\n$/);
    expect(exitCode).toBe(2);
  });
});
