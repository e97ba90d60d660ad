import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { llmRequest, record } from '@stepfork/recorder';
import type { Bench, Table } from '../bench.js';
import { bytesSaid, type Message, turnAt } from '../data/conversation.js';
import { inFolder } from '../measure/folder.js';
import { type Case, measureRounds } from '../measure/rounds.js';

const NEW = 'each request with its new message alone';
const WHOLE = 'each request with the whole history';

export const growth: Bench = {
  name: 'growth',
  question: 'What does it cost that each request of a conversation repeats all that was said before?',
  run: async (effort) => {
    if (effort === 'brief') return [await tableOf(3, 1)];
    return [await tableOf(10, 15), await tableOf(100, 7), await tableOf(1_000, 2)];
  },
};

async function tableOf(turns: number, rounds: number): Promise<Table> {
  return inFolder(async (folder) => {
    const said = bytesSaid(turns);
    const cases = [
      recordingOf(NEW, join(folder, 'new.sftrace'), turns, (history) => history.slice(-1)),
      recordingOf(WHOLE, join(folder, 'whole.sftrace'), turns, (history) => [...history]),
    ];
    const rows = await measureRounds(cases, { rounds, times: 1, reference: NEW, nanoseconds: 1_000 * turns });
    return {
      title: `A conversation of ${turns.toLocaleString('en')} turns`,
      unit: 'µs a request',
      reference: NEW,
      method: `About 340 B are new in a turn, ${kilobytes(said)} in all. What a request repeats is written once; the first row is what a recording comes to that is given only what is new. The agent sends, and the recording looks at, all that was said in every request, so that the time grows with the square of the turns all the same. Starting and finishing the run are part of it.`,
      rows: rows.map((row, index) => ({ ...row, note: sizeNote(cases[index]?.bytes() ?? Number.NaN, said) })),
    };
  });
}

/** Records a conversation over the same path again and again, and tells how large its bundle was last. */
function recordingOf(
  name: string,
  output: string,
  turns: number,
  sent: (history: readonly Message[]) => readonly Message[],
): Case & { readonly bytes: () => number } {
  let bytes = 0;
  return {
    name,
    run: () => record('bench', { output }, () => converse(turns, sent)),
    after: () => {
      bytes = checkedSize(output, turns);
      rmSync(output, { recursive: true });
    },
    bytes: () => bytes,
  };
}

/** An agent whose model answers at once. */
async function converse(turns: number, sent: (history: readonly Message[]) => readonly Message[]): Promise<number> {
  const history: Message[] = [];
  for (let index = 0; index < turns; index++) {
    const { asked, answered } = turnAt(index);
    history.push(asked);
    const { choices } = await llmRequest({
      provider: 'openai',
      model: 'gpt-4o',
      input: { model: 'gpt-4o', messages: sent(history) },
      call: async () => ({ choices: [{ index: 0, message: answered, finish_reason: 'stop' }] }),
    });
    history.push(...choices.map(({ message }) => message));
  }
  return history.length;
}

/** A recording never fails its run: whether all of it was written is to be seen in the bundle. */
function checkedSize(bundle: string, turns: number): number {
  const manifest = readFileSync(join(bundle, 'manifest.json'), 'utf8');
  const { totals } = JSON.parse(manifest) as { readonly totals: { readonly llm_calls: number } };
  if (totals.llm_calls !== turns) throw new Error(`of ${turns} requests ${totals.llm_calls} were recorded`);
  return readdirSync(bundle, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(bundle, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
}

const kilobytes = (bytes: number): string =>
  `${(bytes / 1e3).toLocaleString('en', { maximumFractionDigits: bytes < 1e4 ? 1 : 0 })} KB`;

const sizeNote = (bytes: number, said: number): string =>
  `a bundle of ${kilobytes(bytes)}, ${(bytes / said).toPrecision(3)} × what is new`;
