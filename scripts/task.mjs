// The repository's own commands, for a machine that has Node and npm and nothing else:
//   node scripts/task.mjs demo | test | test:full [package …] | bench [name …] | build
// Each one gets the pinned pnpm, installs from the lockfile, builds what is not built, and says so.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const matrix = path.join(root, 'scripts', 'matrix.mjs');
const [nodeMajor, nodeMinor] = process.versions.node.split('.').map(Number);
const say = (text) => process.stdout.write(`\n▸ ${text}\n`);

/** Ends with `code` and one line that says what to do. */
function fail(text, code = 1) {
  process.stderr.write(`\n✗ ${text}\n`);
  process.exit(code);
}

/** Runs a command with its output on this terminal. */
function run(command, args, { env = {}, cwd = root, quiet = false } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    encoding: 'utf8',
    shell: false,
    env: {
      ...process.env,
      // turbo looks for pnpm on PATH and reports home unless told not to.
      PATH: `${path.join(root, 'node_modules', '.bin')}${path.delimiter}${process.env.PATH ?? ''}`,
      TURBO_TELEMETRY_DISABLED: '1',
      DO_NOT_TRACK: '1',
      ...env,
    },
  });
  if (result.error) fail(`${command} could not be started: ${result.error.message}`);
  return { ok: result.status === 0, output: `${result.stdout ?? ''}${result.stderr ?? ''}` };
}

const runNode = (script, args, options) =>
  run(process.execPath, [path.join(root, 'node_modules', script), ...args], options);

function pinnedPnpm() {
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return packageManager.replace(/^pnpm@/, '');
}

function install() {
  const version = pinnedPnpm();
  const local = path.join(root, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
  const args = ['install', '--frozen-lockfile', '--prefer-offline'];
  const localVersion = existsSync(local)
    ? JSON.parse(readFileSync(path.join(root, 'node_modules', 'pnpm', 'package.json'), 'utf8')).version
    : null;
  say(`installing packages from the lockfile (pnpm ${version})`);
  const done =
    localVersion === version
      ? run(process.execPath, [local, ...args])
      : process.platform === 'win32'
        ? run('cmd', ['/c', 'npx', '-y', `pnpm@${version}`, ...args])
        : run('npx', ['-y', `pnpm@${version}`, ...args]);
  if (!done.ok)
    fail('The packages could not be installed; the lines above say why. A first install needs the npm registry.');
}

function build({ types }) {
  say('building what is not built');
  const tasks = types ? ['build', '//#build:types'] : ['build'];
  const built = runNode('turbo/bin/turbo', ['run', ...tasks, '--output-logs=errors-only'], { quiet: true });
  if (!built.ok) {
    process.stdout.write(built.output);
    fail('The build failed; the lines above say where.');
  }
}

/** What is run, in order; each adds its counts to the last line. */
const results = path.join(root, 'node_modules', '.stepfork-results');

function vitest(title, args, { cwd = root, env } = {}) {
  say(title);
  const file = path.join(results, `${title.replace(/[^a-z0-9]+/gi, '-')}.json`);
  const { ok } = runNode(
    'vitest/vitest.mjs',
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args],
    { cwd, env },
  );
  return counted(file, ok);
}

/** vitest's and jest's JSON share these fields. A run that failed without a failed test (a file that does not load) counts as one. */
function counted(file, ok) {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(file, 'utf8'));
  return { passed, failed: ok ? failed : Math.max(failed, 1) };
}

function checked(title, done) {
  say(title);
  return done().ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * Checks the types while something else goes on: it needs no build, and has a core to itself for half a minute.
 *
 * @returns waits for it, and says what it found
 */
function startTypes() {
  const args = [path.join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '--noEmit', '-p', 'tsconfig.json'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return async () => {
    say('types');
    const [code] = await ended;
    process.stdout.write(output);
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  };
}

/** Each with its exported vitest and jest test. */
const EXAMPLES = [
  'quickstart',
  'booking-agent',
  'refund-agent',
  'openai-incident-triage',
  'anthropic-agent',
  'ai-sdk-agent',
];

function exampleTests(name, env) {
  const cwd = path.join(root, 'examples', name);
  const counts = [vitest(`${name}: the exported vitest test`, [], { cwd, env })];
  say(`${name}: the exported jest test`);
  const file = path.join(results, `${name}-jest.json`);
  const { ok } = run(
    process.execPath,
    [path.join(cwd, 'node_modules', 'jest', 'bin', 'jest.js'), '--json', `--outputFile=${file}`],
    { cwd, env },
  );
  return [...counts, counted(file, ok)];
}

/** The large counts of some packages, for whoever has changed those. */
function testPackages(names) {
  build({ types: true });
  mkdirSync(results, { recursive: true });
  const folders = names.map((name) => `packages/${name}/`);
  const missing = folders.find((folder) => !existsSync(path.join(root, folder)));
  if (missing !== undefined) fail(`There is no ${missing}; name folders of packages/.`, 2);
  total([vitest('packages', folders, { env: { STEPFORK_FULL: '1' } })]);
}

/** Ends with the line that CI reads. */
function total(counts) {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exit(failed === 0 ? 0 : 1);
}

async function test({ full }) {
  const types = startTypes();
  build({ types: true });
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const env = full ? { STEPFORK_FULL: '1' } : {};
  const counts = [
    checked('lint', () => runNode('@biomejs/biome/bin/biome', ['check', '.'])),
    await types(),
    vitest('packages', [], { env }),
    ...EXAMPLES.flatMap((name) => exampleTests(name, env)),
    checked('every bench runs', () => bench(['--brief'], { quiet: true })),
    vitest('end to end', [], { cwd: path.join(root, 'packages', 'e2e'), env }),
    ...(full ? [checked('every Node, module system and bundler', () => run(process.execPath, [matrix]))] : []),
  ];
  total(counts);
}

function bench(args, options) {
  return run(process.execPath, [path.join(root, 'packages', 'bench', 'dist', 'command.js'), ...args], options);
}

const tasks = {
  build: () => build({ types: true }),
  demo: () => {
    build({ types: false });
    say('the quickstart, for real');
    const { ok } = run(process.execPath, [
      path.join(root, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs'),
      '--silent',
      '--filter',
      './examples/quickstart',
      'run',
      'demo',
    ]);
    process.exit(ok ? 0 : 1);
  },
  bench: () => {
    build({ types: false });
    process.exit(bench(process.argv.slice(3)).ok ? 0 : 1);
  },
  test: () => test({ full: false }),
  'test:full': () => {
    const names = process.argv.slice(3);
    return names.length === 0 ? test({ full: true }) : testPackages(names);
  },
};

const task = tasks[process.argv[2] ?? ''];
if (task === undefined) fail(`Unknown task '${process.argv[2] ?? ''}'. One of: ${Object.keys(tasks).join(', ')}.`, 2);
if (nodeMajor < 20 || (nodeMajor === 20 && nodeMinor < 19))
  fail(`Stepfork needs Node 20.19 or newer; this is ${process.versions.node}.`, 2);
install();
await task();
