import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTrace } from '@stepfork/trace-format';
import { expect, test } from 'vitest';
import * as api from '../../src/index.js';
import { temporaryFolder, writeBundle } from '../support/bundle.js';
import { runOf } from '../support/run-builder.js';

const page = readFileSync(new URL('../../../../docs/diff.md', import.meta.url), 'utf8');
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

function blockOf(text: string, language: string, nth = 0): string {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))][nth]?.[1] ?? '';
}

async function load<T>(code: string, folder: string): Promise<T> {
  const file = join(folder, 'block.ts');
  writeFileSync(file, code);
  return (await import(file)) as T;
}

/** The two runs of the page. */
function bundles(folder: string): readonly [string, string] {
  const plan = { model: 'gpt-5', provider: 'openai', input: { goal: 'Lisbon' }, output: 'search' };
  const search = (price: number, selected_flight: string) => ({
    tool: 'flight_search',
    input: { destination: 'Lisbon' },
    output: { price, selected_flight },
  });
  const before = runOf([plan, search(320, 'B')], { output: { selected_flight: 'B' } });
  const after = runOf([plan, search(450, 'A'), { tool: 'send_receipt' }], { output: { selected_flight: 'A' } });
  return [writeBundle(before, folder, 'before'), writeBundle(after, folder, 'after')];
}

test('the page reports two bundles as it shows', async () => {
  const folder = temporaryFolder();
  const [before, after] = bundles(folder);
  type Block = { report: (baseline: string, candidate: string) => string };
  const { report } = await load<Block>(blockOf(page, 'ts'), folder);
  expect(report(before, after)).toBe(blockOf(page, 'text'));
  expect(report(before, before)).toBe('nothing changed');
});

test('the page numbers steps as inspect does', () => {
  const [, kind, step = ''] = /`(changed) step (\d+)` of the text above/.exec(page) ?? [];
  expect(blockOf(page, 'text')).toContain(`${kind} step ${step} tool flight_search`);
  const { events } = loadTrace(bundles(temporaryFolder())[0]);
  expect(events.find((event) => event.step === Number(step))).toMatchObject({
    type: 'tool_call',
    name: 'flight_search',
  });
});

test('the page tells of a replay as it shows', () => {
  const search = { tool: 'search', input: { city: 'Lisbon' } };
  const book = { tool: 'book' };
  const run = runOf([{ ...book, inside: [search, { ...search, inside: [search] }, { state: 'seat', after: '1A' }] }]);
  const result = api.diffTraces(run, runOf([book], { replayOf: run }));
  expect(result.notReplayed).toBe(4);
  expect(api.formatDiff(result)).toBe(blockOf(page, 'text', 1));
});

test('the README tells two bundles apart', async () => {
  const folder = temporaryFolder();
  const [before, after] = bundles(folder);
  type Block = { assertSameBehaviour: (baseline: string, candidate: string) => void };
  const { assertSameBehaviour } = await load<Block>(blockOf(readme, 'ts'), folder);
  expect(() => assertSameBehaviour(after, after)).not.toThrow();
  expect(() => assertSameBehaviour(before, after)).toThrow('2 changed, 1 added, 1 unchanged');
});

test('the page leaves out what it says', () => {
  const code = /```js\n(import \{ diffTraces \}[\s\S]*?)```/.exec(page)?.[1] ?? '';
  const day = (now: string, id: number) =>
    runOf([
      { tool: 'search', input: { now } },
      { model: 'small', provider: 'acme', input: { messages: [{ id, text: 'hello' }] } },
    ]);
  const body = code.replace(/^import .*$/m, '').replace('console.log(', 'print(');
  const printed: unknown[] = [];
  const print = (value: unknown): number => printed.push(value);
  new Function('diffTraces', 'monday', 'tuesday', 'print', body)(api.diffTraces, day('Mon', 1), day('Tue', 2), print);
  expect(printed).toEqual([true]);
});

test('the values of the page compare as it says', () => {
  const code = /```js\n(import \{ compareValues[\s\S]*?)```/.exec(page)?.[1] ?? '';
  const printed: string[] = [];
  const body = code.replace(/^import .*$/m, 'const { compareValues, firstDifference } = api;');
  new Function('api', 'console', body)(api, { log: (value: unknown) => printed.push(JSON.stringify(value)) });
  expect(printed).toEqual([...code.matchAll(/(?:^|; )\/\/ (.*)$/gm)].map(([, line]) => line));
  expect(printed).toHaveLength(4);
});
