// Makes the screens in docs/images from real runs of the built program in a terminal:
//   node packages/cli/scripts/screens.mjs
// Needs a build, and `script` of util-linux, which gives a program a terminal.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ansiToSvg } from './ansi-to-svg.mjs';

const COLUMNS = 110;
const PROGRAM = fileURLToPath(new URL('../bin/stepfork.js', import.meta.url));
const RECORDER = import.meta.resolve('@stepfork/recorder');
const IMAGES = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

// A travel agent: two searches at once, a model that streams, a password, and a bug in how it chooses.
const AGENT = `import { setTimeout as sleep } from 'node:timers/promises';
import { llmRequest, traceTool } from '${RECORDER}';

const login = traceTool({ name: 'login', params: ['user', 'password'] }, async (user) => ({ user, token: 'sk-live-4f9a8b7c6d5e4f3a' }));
const flights = traceTool({ name: 'flights', params: ['to'] }, async (to) => {
  await sleep(120);
  if (to === 'Atlantis') throw new RangeError('no flight goes to ' + to);
  return [{ id: 'A', price: 120 }, { id: 'B', price: 95 }];
});
const hotels = traceTool({ name: 'hotels', params: ['city'] }, async (city) => {
  await sleep(260);
  return [{ name: 'Central', night: 80 }, { name: 'Harbour', night: 110 }];
});
const ask = (input) =>
  llmRequest({
    provider: 'acme',
    model: 'small-1',
    input,
    call: async () => {
      await sleep(180);
      return { text: 'Flight and hotel are booked.', usage: { prompt_tokens: 412, completion_tokens: 38 } };
    },
  });

async function plan({ to }, choose) {
  await login('ada', 'correct horse battery staple');
  const [offers, rooms] = await Promise.all([flights(to), hotels(to)]);
  const flight = choose(offers);
  const { text } = await ask({ prompt: 'Book ' + flight.id + ' and ' + rooms[0].name });
  return { flight: flight.id, price: flight.price, hotel: rooms[0].name, text };
}

const first = (offers) => offers[0];
const cheapest = (offers) => [...offers].sort((a, b) => a.price - b.price)[0];
export const planTrip = (order) => plan(order, first);
export const fixedTrip = (order) => plan(order, cheapest);
`;

const folder = mkdtempSync(join(tmpdir(), 'stepfork-screens-'));
try {
  writeFileSync(join(folder, 'agent.mjs'), AGENT);
  writeFileSync(join(folder, 'stepfork.config.json'), '{ "entrypoints": { "travel-agent": "agent.mjs:planTrip" } }\n');
  await recordRuns();
  mkdirSync(IMAGES, { recursive: true });
  for (const [name, ...argv] of [
    ['list', 'list'],
    ['inspect', 'inspect', 'trip'],
    ['replay', 'replay', 'trip', '--entrypoint', 'agent.mjs:fixedTrip'],
    ['diff', 'diff', 'trip', 'fixed'],
  ]) {
    const { shown, output } = inTerminal(argv);
    writeFileSync(join(IMAGES, `${name}.svg`), ansiToSvg(shown, `\u001b[2m$\u001b[22m ${shown}\n${output}`, COLUMNS));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function recordRuns() {
  const { record } = await import(RECORDER);
  const { planTrip, fixedTrip } = await import(pathToFileURL(join(folder, 'agent.mjs')).href);
  const run = async (name, agent, to, tags) => {
    const output = join(folder, '.stepfork', 'traces', `${name}.sftrace`);
    await record('travel-agent', { output, input: { to }, tags }, () => agent({ to })).catch(() => {});
    await sleep(20);
  };
  await run('fixed', fixedTrip, 'Lisbon', { release: '1.5' });
  await run('trip', planTrip, 'Lisbon', { release: '1.4' });
  await run('lost', planTrip, 'Atlantis', { release: '1.4' });
}

/** A run is named by its file on the command line, and by its place on the screen, as a person would. */
function inTerminal(argv) {
  const words = argv.map((word) => (word === 'trip' || word === 'fixed' ? `.stepfork/traces/${word}.sftrace` : word));
  const line = `stty cols ${COLUMNS} rows 50; exec '${process.execPath}' '${PROGRAM}' ${words.join(' ')}`;
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env;
  const { stdout, error } = spawnSync('script', ['-qefc', line, '/dev/null'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    input: '',
  });
  if (error !== undefined) throw error;
  return { shown: `stepfork ${words.join(' ')}`, output: stdout.replaceAll('\r', '') };
}
