import { llmRequest, traceTool } from '@stepfork/recorder';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatReport, replay } from '../../src/index.js';
import { previewPair } from '../../src/report/preview-pair.js';
import { asAgent, recordRun } from '../recording.js';

const LONG = 'You answer questions about orders, and never about anything else. '.repeat(5);
const prompt = (words: string): string => `${LONG}Answer in at most ${words} words. ${LONG}`;
const ask = (content: string): Promise<string> =>
  llmRequest({
    provider: 'acme',
    model: 'mini',
    input: { messages: [{ role: 'system', content }] },
    call: async () => 'Yes.',
  });

describe('a change far into a long text', () => {
  it('is in sight in the message, in the differences and, with verbose, with much more around it', async () => {
    const path = await recordRun(() => ask(prompt('five')));
    const report = await replay(
      path,
      asAgent(() => ask(prompt('four'))),
    );
    const text = formatReport(report);
    expect(report.divergence?.message).toMatch(
      /: at 'messages\[0\]\.content' recorded …"[^"]*at most five words\. [^"]*"…, got …"[^"]*at most four words\. [^"]*"…$/,
    );
    expect(report.divergence?.message.length).toBeLessThan(350);
    expect(text).toMatch(/differs {2}messages\[0\]\.content: recorded …".* five words.*, got …".* four words/);
    const differs = formatReport(report, { verbose: true })
      .split('\n')
      .find((line) => line.includes('differs'));
    expect(differs).toContain(`recorded ${JSON.stringify(prompt('five'))}, got ${JSON.stringify(prompt('four'))}`);
  });

  it('is in sight in the output, too, and where runs disagree', async () => {
    const path = await recordRun(() => ({ text: prompt('five') }));
    const changed = await replay(
      path,
      asAgent(() => ({ text: prompt('four') })),
    );
    expect(formatReport(changed)).toMatch(/output {5}recorded ….* five words.*…, got ….* four words.*…/);
    let runs = 0;
    const unsteady = await replay(
      path,
      asAgent(() => ({ text: prompt(runs++ === 0 ? 'five' : 'six') })),
      { repeat: 2 },
    );
    expect(unsteady.disagreement).toMatch(/the output at 'text': …".* five .*"…, …".* six .*"…$/);
  });
});

describe('two values that differ', () => {
  it('are never shown as the same text, nor cut inside a character', () => {
    const json = fc.jsonValue({ maxDepth: 2 });
    const text = fc.string({ unit: 'grapheme', maxLength: 200 });
    const parts = fc.tuple(fc.oneof(text, fc.constant('x'.repeat(300))), text, text, text);
    fc.assert(
      fc.property(parts, fc.integer({ min: 10, max: 60 }), ([lead, one, other, tail], longest) => {
        fc.pre(one + tail !== other + tail);
        const shown = previewPair(`${lead}${one}${tail}`, `${lead}${other}${tail}`, longest);
        expect(shown[0]).not.toBe(shown[1]);
        expect(shown.join('\n')).not.toMatch(/\p{Surrogate}/u);
      }),
    );
    fc.assert(
      fc.property(json, json, (one, other) => {
        const values = [one ?? null, other ?? null] as const;
        fc.pre(JSON.stringify(values[0]) !== JSON.stringify(values[1]));
        expect(() => previewPair(values[0] as never, values[1] as never, 12)).not.toThrow();
      }),
    );
  });

  it.each([
    ['a', 'b', '"a"', '"b"'],
    [`${'x'.repeat(50)}a`, `${'x'.repeat(50)}b`, `…"${'x'.repeat(19)}a"`, `…"${'x'.repeat(19)}b"`],
    [`a${'x'.repeat(50)}`, `b${'x'.repeat(50)}`, `"a${'x'.repeat(19)}"…`, `"b${'x'.repeat(19)}"…`],
    ['x'.repeat(30), 'x'.repeat(31), `…"${'x'.repeat(19)}"`, `…"${'x'.repeat(20)}"`],
    [
      { a: 'x'.repeat(40), b: 1 },
      { a: 'x'.repeat(40), b: 2 },
      `…${'x'.repeat(12)}","b":1}`,
      `…${'x'.repeat(12)}","b":2}`,
    ],
    ['x'.repeat(40), 7, `"${'x'.repeat(19)}…`, '7'],
  ])('are cut around the place at which they part (%#)', (one, other, before, after) => {
    expect(previewPair(one, other, 20)).toEqual([before, after]);
  });
});

describe('a run that threw what the replay refused it with', () => {
  const find = traceTool('find', async (input: { readonly id: number }) => input.id);

  it('has no output to judge, which is said once', async () => {
    const path = await recordRun(() => find({ id: 1 }));
    const text = formatReport(
      await replay(
        path,
        asAgent(() => find({ id: 2 })),
      ),
    );
    expect(text).toContain('  output     not judged: the calls diverged\n');
    expect(text.split('was called with another input')).toHaveLength(2);
    const again = asAgent(() => find({ id: 2 }).catch(() => find({ id: 3 })));
    expect(formatReport(await replay(path, again))).toContain('  output     not judged: the calls diverged\n');
  });

  it('is told of by its own error where it made one', async () => {
    const path = await recordRun(() => find({ id: 1 }));
    const own = asAgent(() =>
      find({ id: 2 }).catch(() => {
        throw new RangeError('no such order');
      }),
    );
    expect(formatReport(await replay(path, own))).toContain('  output     threw RangeError: no such order\n');
  });
});
