// Runs a smoke agent (record, read back) with the packed recorder on every supported Node, in every way that it is
// loaded, and prints a line for each: node scripts/matrix.mjs
// Needs the npm registry (for the other Nodes, vitest, jest and esbuild) and a build (npm run build).
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const NODES = ['20', '22', '24'];
const PACKAGES = ['trace-format', 'redact', 'recorder'];
const folder = mkdtempSync(path.join(tmpdir(), 'stepfork-matrix-'));

/** Runs a command, and throws with all that it printed when it fails. */
function run(command, args, cwd = folder) {
  // A test runner around this one must not be taken for that of the smoke agent.
  const { NODE_ENV, VITEST, JEST_WORKER_ID, STEPFORK_DISABLED, ...env } = process.env;
  const done = spawnSync(command, args, { cwd, env, encoding: 'utf8', shell: process.platform === 'win32' });
  if (done.status === 0) return done.stdout.trim();
  throw new Error(`${command} ${args.join(' ')}\n${done.error ?? ''}${done.stdout}${done.stderr}`);
}

/** A version as the workspace pins it. */
function pinned(name) {
  const lines = readFileSync(path.join(root, 'pnpm-workspace.yaml'), 'utf8').split('\n');
  const line = lines.find((text) => text.trim().replaceAll("'", '').startsWith(`${name}:`));
  return `${name}@${line.split(': ')[1]}`;
}

/** The esbuild that the workspace builds with. */
function esbuild() {
  const { resolve } = createRequire(realpathSync(path.join(root, 'node_modules', 'tsup', 'package.json')));
  return `esbuild@${JSON.parse(readFileSync(resolve('esbuild/package.json'), 'utf8')).version}`;
}

/** What an agent in production does, and then whether it can be read back. Holds in ESM and in CommonJS. */
const SMOKE = `
async function smoke() {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-smoke-'));
  try {
    const search = traceTool('search', async (city) => [city + ' 1']);
    const output = (name) => join(folder, name + '.sftrace');
    const agent = traceAgent({ name: 'traced', output: output('traced') }, async (city) => search(city));
    await agent('Lisbon');
    await record('recorded', { output: output('recorded'), input: { city: 'Lisbon' } }, async (session, { city }) => {
      const found = await search(city);
      const answer = await llmRequest({ provider: 'p', model: 'm', input: found, call: async () => ({ text: 'F1' }) });
      session.setOutput(answer.text);
    });
    await (async () => {
      const session = startRecording('started', { output: output('started') });
      await search('Lisbon');
      session.setOutput(1);
      await session[Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]();
    })();
    return ['traced', 'recorded', 'started'].map((name) => {
      const { valid, integrity } = validateBundle(output(name), { verifyIntegrity: true });
      const { status, totals } = loadTrace(output(name));
      return [name, valid, integrity, status, totals.tool_calls, totals.llm_calls].join(' ');
    }).join(', ');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
`;
const EXPECTED =
  'traced true verified completed 1 0, recorded true verified completed 1 1, started true verified completed 1 0';
const IMPORTS = [
  ['mkdtempSync, rmSync', 'node:fs'],
  ['tmpdir', 'node:os'],
  ['join', 'node:path'],
  ['llmRequest, record, startRecording, traceAgent, traceTool', '@stepfork/recorder'],
  ['loadTrace, validateBundle', '@stepfork/trace-format'],
];
const esm = IMPORTS.map(([names, from]) => `import { ${names} } from '${from}';`).join('\n') + SMOKE;
const cjs = IMPORTS.map(([names, from]) => `const { ${names} } = require('${from}');`).join('\n') + SMOKE;
const MAIN = 'smoke().then((said) => console.log(said));\n';
const TEST = `test('smoke', async () => { expect(await smoke()).toBe('${EXPECTED}'); });\n`;
const FILES = {
  'package.json': '{ "name": "smoke", "private": true }\n',
  'esm.mjs': esm + MAIN,
  'cjs.cjs': cjs + MAIN,
  'vitest/smoke.test.mjs': `import { expect, test } from 'vitest';\n${esm}${TEST}`,
  'jest/smoke.test.cjs': cjs + TEST,
  'jest/jest.config.cjs': "module.exports = { testMatch: ['**/*.test.cjs'] };\n",
};

/** Ways in which the recorder gets into a process: what is run by Node, and what it says. */
const prints = (file) => (node) => run(node, [file]) === EXPECTED;
const passes = (bin, args, cwd) => (node) => run(node, [modules(bin), ...args], path.join(folder, cwd)) !== null;
const CELLS = {
  'ES modules': prints('esm.mjs'),
  CommonJS: prints('cjs.cjs'),
  'inside vitest': passes('vitest/vitest.mjs', ['run', '--root', '.'], 'vitest'),
  'inside jest': passes('jest/bin/jest.js', [], 'jest'),
  'bundled by esbuild to ES modules': prints('bundled.mjs'),
  'bundled by esbuild to CommonJS': prints('bundled.cjs'),
};

function modules(file) {
  return path.join(folder, 'node_modules', file);
}

function prepare() {
  const pnpm = path.join(root, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
  for (const name of PACKAGES) {
    const home = path.join(root, 'packages', name);
    if (!existsSync(path.join(home, 'dist', 'index.cjs'))) throw new Error('Nothing is built: npm run build.');
    run(process.execPath, [pnpm, 'pack', '--pack-destination', folder], home);
  }
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const tools = [...['vitest', 'vite', 'jest'].map(pinned), esbuild()];
  run('npm', ['install', '--no-audit', '--no-fund', ...packed.map((name) => `./${name}`), ...tools]);
  for (const format of ['esm', 'cjs']) {
    const args = ['--bundle', '--platform=node', '--target=node20', `--format=${format}`];
    const outfile = `--outfile=bundled.${format === 'esm' ? 'mjs' : 'cjs'}`;
    run(modules('.bin/esbuild'), [`${format}.${format === 'esm' ? 'mjs' : 'cjs'}`, ...args, outfile]);
  }
}

/** The executable of a Node release, as its npm package brings it. */
function nodeOf(major) {
  const home = path.join(folder, `node-${major}`);
  mkdirSync(home);
  writeFileSync(path.join(home, 'package.json'), '{ "private": true }\n');
  run('npm', ['install', '--no-audit', '--no-fund', `node@${major}`], home);
  return path.join(home, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

let failed = 0;
try {
  prepare();
  for (const major of NODES) {
    const node = nodeOf(major);
    const version = run(node, ['--version']);
    for (const [name, cell] of Object.entries(CELLS)) {
      let problem = '';
      try {
        if (!cell(node)) problem = 'it said something else';
      } catch (error) {
        problem = error.message;
      }
      if (problem !== '') failed++;
      process.stdout.write(
        `${problem === '' ? 'ok    ' : 'FAILED'} node ${version} ${name}\n${problem && `${problem}\n`}`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${NODES.length * Object.keys(CELLS).length - failed} ok, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
