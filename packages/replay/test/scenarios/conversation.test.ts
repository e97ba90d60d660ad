import { statSync } from 'node:fs';
import { join } from 'node:path';
import { diffTraces } from '@stepfork/diff';
import { llmRequest } from '@stepfork/recorder';
import { loadTrace, packBundle, validateBundle } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { asAgent, recordRun } from '../recording.js';

interface Message {
  readonly role: string;
  readonly content: string;
}

let bodies = 0;

/** Two models that are asked in turns, each with all that was said to it before. */
const talk =
  (turns: number, say = (turn: number): string => `${turn} ${'what now? '.repeat(30)}`) =>
  async (): Promise<number> => {
    const histories: Message[][] = [[], []];
    for (let turn = 0; turn < turns; turn++) {
      await Promise.all(
        histories.map(async (messages, who) => {
          messages.push({ role: 'user', content: `${who} ${say(turn)}` });
          const answer = (await llmRequest({
            provider: 'acme',
            model: `model-${who}`,
            input: { messages: [...messages], system: 'Be brief. '.repeat(200) },
            call: async () => {
              bodies++;
              return { role: 'assistant', content: `${turn} ${'this. '.repeat(30)}` };
            },
          })) as Message;
          messages.push(answer);
        }),
      );
    }
    return histories.flat().length;
  };

describe('a long conversation', () => {
  it('takes as much again for twice as many turns, and replays from what was written once', async () => {
    const [short, long] = [await recordRun(talk(30)), await recordRun(talk(60))];
    const sizeOf = (path: string): number => statSync(join(path, 'events.jsonl')).size;
    expect(sizeOf(long) / sizeOf(short)).toBeLessThan(2.2);
    expect(validateBundle(long, { verifyIntegrity: true })).toMatchObject({ issues: [], integrity: 'verified' });
    const before = bodies;
    for (const source of [long, packBundle(long), loadTrace(long)]) {
      const report = await replay(source, asAgent(talk(60)));
      expect([report.verdict, report.counts.substituted, bodies]).toEqual(['matched', 120, before]);
    }
  });

  it('is the same run again when it is recorded again', async () => {
    const [one, other] = [loadTrace(await recordRun(talk(20))), loadTrace(await recordRun(talk(20)))];
    expect(diffTraces(one, other).equivalent).toBe(true);
  });

  it('diverges where one word of it is another, and is compared there', async () => {
    const path = await recordRun(talk(20));
    const say = (turn: number): string => `${turn} ${'what now? '.repeat(30)}${turn === 12 ? 'then' : ''}`;
    const report = await replay(path, asAgent(talk(20, say)));
    expect(report.verdict).toBe('diverged');
    expect(report.divergence?.differences.map(({ path: place }) => place)).toEqual(['messages[24].content']);
    const diff = diffTraces(loadTrace(path), loadTrace(await recordRun(talk(20, say))));
    const changed = diff.steps.find(({ kind }) => kind === 'changed');
    expect(changed?.changes.map(({ path: place }) => place)).toEqual(['input.messages[24].content']);
  });
});
