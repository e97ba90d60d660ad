import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { HAS_PTY, inTerminal, plain } from '../support/pty.js';

const CSI = `${String.fromCharCode(27)}[`;
let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'failure.sftrace');
  await project.record('fixed', 'fixed.sftrace');
  for (const name of ['one', 'two', 'three']) await project.record('runAgent', `traces/${name}.sftrace`);
}, 120_000);
afterAll(() => project?.remove());

const COMMAND_LINES: readonly string[][] = [
  ['list', 'traces'],
  ['inspect', 'failure.sftrace'],
  ['inspect', 'failure.sftrace', '--step', '4'],
  ['diff', 'failure.sftrace', 'fixed.sftrace'],
  ['validate', 'failure.sftrace'],
  ['replay', 'failure.sftrace', '--entrypoint', 'agent.mjs:drifted'],
];

// Where there is nothing that gives a program a terminal, there is nothing to see.
const terminals = HAS_PTY ? ['a terminal'] : [];

describe.each(terminals)('%s, with every command', () => {
  it.each(COMMAND_LINES)('has colours as its environment says: %s %s %s %s', async (...argv) => {
    for (const [env, isColoured] of [
      [{ NO_COLOR: '1' }, false],
      [{ TERM: 'dumb' }, false],
      [{ CI: '1' }, true],
    ] as const) {
      const { output } = await inTerminal(project.folder, argv, { columns: 200, env });
      expect(output.includes(CSI), JSON.stringify(env)).toBe(isColoured);
    }
  });

  it.each(COMMAND_LINES)('is not exceeded at any width: %s %s %s %s', async (...argv) => {
    for (const columns of [60, 80, 90, 120, 200]) {
      const { output } = await inTerminal(project.folder, argv, { columns });
      const widest = Math.max(
        ...plain(output)
          .split('\n')
          .map(({ length }) => length),
      );
      expect(widest, `${columns} columns`).toBeLessThanOrEqual(columns);
    }
  });
});
