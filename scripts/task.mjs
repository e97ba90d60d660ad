// The repository's own commands, for a machine that has Node and npm and nothing else:
//   node scripts/task.mjs demo | test | test:full [package …] | bench [name …] | docs | build
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
  const { ok } = runNode('vitest/vitest.mjs', [...vitestArguments(file), ...args], { cwd, env });
  return counted(file, ok);
}

function vitestArguments(file) {
  return ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
}

/** vitest's and jest's JSON share these fields. A run that failed without a failed test (a file that does not load) counts as one. */
function counted(file, ok) {
  if (!existsSync(file)) return { passed: 0, failures: [`${path.basename(file)}: no results were written`] };
  const { numPassedTests: passed, testResults } = JSON.parse(readFileSync(file, 'utf8'));
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    const place = path.relative(root, name);
    if (failed.length === 0) return status === 'failed' ? [`${place}: ${firstLine(message)}`] : [];
    return failed.map((test) => `${place}: ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
  });
  return { passed, failures: ok || failures.length > 0 ? failures : [`${path.basename(file)}: the run failed`] };
}

function firstLine(text = '') {
  return text.split('\n', 1)[0];
}

function checked(title, done) {
  say(title);
  return one(title, done().ok);
}

/** What counts as one test. */
function one(title, ok) {
  return ok ? { passed: 1, failures: [] } : { passed: 0, failures: [title] };
}

/** Runs a program of Node's while something else goes on, and keeps what it prints. */
async function runBeside(args, { cwd = root, env = {} } = {}) {
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return { ok: code === 0, output };
}

/**
 * Checks the types while something else goes on: it needs no build, and has a core to itself for half a minute.
 *
 * @returns waits for it, and says what it found
 */
function startTypes() {
  const checking = runBeside([
    path.join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
    '--noEmit',
    '-p',
    'tsconfig.json',
  ]);
  return async () => {
    say('types');
    const { ok, output } = await checking;
    process.stdout.write(output);
    return one('types', ok);
  };
}

async function inTurn(names, make) {
  const all = [];
  for (const name of names) all.push(...(await make(name)));
  return all;
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

/** Both at the same time: each of them begins with seconds of loading, on one core. */
async function exampleTests(name, env) {
  const cwd = path.join(root, 'examples', name);
  const files = ['vitest', 'jest'].map((runner) => path.join(results, `${name}-${runner}.json`));
  const commands = [
    [path.join(root, 'node_modules', 'vitest', 'vitest.mjs'), ...vitestArguments(files[0])],
    [path.join(cwd, 'node_modules', 'jest', 'bin', 'jest.js'), '--json', `--outputFile=${files[1]}`],
  ];
  const ended = await Promise.all(commands.map((args) => runBeside(args, { cwd, env })));
  return ended.map(({ ok, output }, i) => {
    say(`${name}: the exported ${['vitest', 'jest'][i]} test`);
    process.stdout.write(output);
    return counted(files[i], ok);
  });
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

/** Ends with what failed, and with the line that CI reads. */
function total(counts) {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failures = counts.flatMap((count) => count.failures);
  const list = failures.map((failure) => `✗ ${failure}\n`).join('');
  const seconds = Math.round(process.uptime());
  process.stdout.write(`\n${list}${Math.floor(seconds / 60)} min ${seconds % 60} s\n`);
  process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
  process.exit(failures.length === 0 ? 0 : 1);
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
    ...(await inTurn(EXAMPLES, (name) => exampleTests(name, env))),
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
  docs: () => {
    say('the site, into docs/.vitepress/dist');
    const pnpm = path.join(root, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
    process.exit(run(process.execPath, [pnpm, '--filter', './docs', 'run', 'docs:build']).ok ? 0 : 1);
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
