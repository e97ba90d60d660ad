import type { Json } from '@stepfork/trace-format';
import { describe, expect, test } from 'vitest';
import type { DiffResult, DiffStep, ValueChange } from '../result.js';
import { formatDiff } from './format-diff.js';

const NOTHING = { unchanged: 0, changed: 0, moved: 0, added: 0, removed: 0 };

function resultWith(...steps: readonly DiffStep[]): DiffResult {
  const counts = { ...NOTHING };
  for (const { kind } of steps) counts[kind]++;
  return { equivalent: counts.unchanged === steps.length, counts, steps };
}

/** Where a step stands, each side's number being larger than its place: not every event is a step. */
const at = (baseline: number | null, candidate: number | null) => ({
  baseline,
  candidate,
  baselineStep: baseline === null ? null : baseline * 2 + 1,
  candidateStep: candidate === null ? null : candidate * 2 + 1,
});

function changed(...changes: readonly ValueChange[]): DiffStep {
  return { kind: 'changed', type: 'tool', label: 'search', ...at(3, 4), changes };
}

const change = (before: Json, after: Json): ValueChange => ({ path: 'output', kind: 'changed', before, after });
const lineOf = (before: Json, after: Json): string | undefined =>
  formatDiff(resultWith(changed(change(before, after)))).split('\n')[3];

describe('formatDiff', () => {
  test('says in one line that nothing differs', () => {
    const same: DiffStep = { ...changed(), kind: 'unchanged' };
    expect(formatDiff(resultWith(same))).toBe('The two runs behave the same.\n');
    expect(formatDiff(resultWith())).toBe('The two runs behave the same.\n');
  });

  test('counts, then shows each step that differs with its changes', () => {
    const text = formatDiff(
      resultWith(
        { ...changed(), kind: 'unchanged', ...at(0, 0) },
        { kind: 'removed', type: 'llm', label: 'acme/large', ...at(1, null), changes: [] },
        { kind: 'added', type: 'error', label: 'ToolTimeout', ...at(null, 1), changes: [] },
        { kind: 'moved', type: 'state', label: 'plan', ...at(5, 2), changes: [change(1, 2)] },
        changed(
          { path: 'input.q', kind: 'removed', before: 'x', after: null },
          { path: 'input.query', kind: 'added', before: null, after: { text: ['x', null, 1.5, 2n ** 60n, -0] } },
          { path: 'output.price', kind: 'changed', before: 320, after: 450 },
        ),
        { ...changed(change(true, false)), type: 'run', label: 'run', ...at(6, 6) },
      ),
    );
    expect(text).toBe(
      [
        '2 changed, 1 moved, 1 added, 1 removed, 1 unchanged',
        '',
        'removed step 3 llm acme/large',
        'added step 3 error ToolTimeout',
        'moved step 11 → 5 state plan',
        '  output: 1 → 2',
        'changed step 7 tool search',
        '  input.q: removed "x"',
        '  input.query: added {"text": ["x", null, 1.5, 1152921504606846976, -0]}',
        '  output.price: 320 → 450',
        'changed step 13 run',
        '  output: true → false',
        '',
      ].join('\n'),
    );
  });

  test('says when the search was cut short', () => {
    const text = formatDiff({ ...resultWith(changed(change(1, 2))), approximate: true });
    expect(text.split('\n')[1]).toBe(
      'The runs are too different for a full search: fewer differences might describe them.',
    );
  });

  test.each([
    [1, '1 step'],
    [20, '20 steps'],
  ])('says that %i was not compared, and why', (notReplayed, steps) => {
    const note = `Not compared: ${steps} inside calls that the replay answered from the recording.`;
    expect(formatDiff({ ...resultWith(), notReplayed })).toBe(`The two runs behave the same.\n${note}\n`);
    expect(formatDiff({ ...resultWith(changed(change(1, 2))), notReplayed }).split('\n')[1]).toBe(note);
  });

  test('cuts long values', () => {
    const long = Array.from({ length: 1000 }, (_, n) => n);
    expect(lineOf(1, long)).toMatch(/^ {2}output: 1 → \[0, 1, 2, .*…$/);
    expect(lineOf(1, long)?.length).toBeLessThan(150);
    expect(lineOf(1, 'x'.repeat(1000))).toBe(`  output: 1 → "${'x'.repeat(120)}"…`);
  });

  test('shows the place at which two long texts part', () => {
    const common = 'The same words again and again. '.repeat(50);
    expect(lineOf(`${common}Book flight A.`, `${common}Book flight B.`)).toBe(
      '  output: …" again and again. Book flight A." → …" again and again. Book flight B."',
    );
  });

  test('does not cut a character in two', () => {
    expect(lineOf(1, `x${'😀'.repeat(100)}`)).toBe(`  output: 1 → "x${'😀'.repeat(59)}"…`);
    const common = 'x'.repeat(31) + '😀'.repeat(100);
    expect(lineOf(`${common}a`, `${common}b`)).not.toMatch(/\\ud/);
  });

  test('shows a very deep or very wide value without looking at all of it', () => {
    let deep: Json = 1;
    for (let level = 0; level < 100_000; level++) deep = { nested: deep };
    expect(lineOf(1, deep)?.length).toBeLessThan(150);
    expect(lineOf(1, [deep, deep])?.length).toBeLessThan(150);
  });

  test('shows the first changes of a step that has many', () => {
    const many = Array.from({ length: 50 }, (_, n) => ({ ...change(n, n + 1), path: `output[${n}]` }));
    const lines = formatDiff(resultWith(changed(...many))).split('\n');
    expect(lines).toHaveLength(2 + 1 + 20 + 1 + 1);
    expect(lines.at(-2)).toBe('  … and 30 more');
  });

  test('never lets text from a trace reach a terminal as more than text', () => {
    const evil = '\u001b[2J\u202e\r\n\u0007';
    const text = formatDiff(
      resultWith(
        {
          ...changed({ path: `output["${evil}"]`, kind: 'changed', before: evil, after: { [evil]: evil } }),
          label: evil,
        },
        { ...changed(), kind: 'added', ...at(null, 4), label: evil.repeat(100) },
      ),
    );
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(text.split('\n')).toHaveLength(6);
  });
});
