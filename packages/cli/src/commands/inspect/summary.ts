import { displayText } from '@stepfork/trace-format';
import { formatDuration } from '../../duration.js';
import { folded } from '../../fold.js';
import type { Terminal } from '../../terminal.js';
import { mostAtOnce } from './lanes.js';
import type { RunView } from './view.js';

const INTEGRITY = {
  verified: 'verified',
  mismatch: 'MISMATCH, the bundle was changed after it was written',
  unverified_legacy: 'not verifiable, the bundle has no integrity.json',
  not_checked: 'not checked',
} as const;

/** Columns of the names. */
const NAMES = 11;

/** What a run was, in one table. */
export function formatSummary({ run, summary, integrity, events, spans }: RunView, terminal: Terminal): string {
  const { totals, failure } = run;
  const { calls, tokens, redactions, placeholders, ambiguous } = summary;
  const streams = events.filter(({ stream }) => stream !== null).length;
  // One that was made within another is part of it.
  const atOnce = mostAtOnce(spans.filter(({ start }) => events[start]?.depth === 0));
  const tags = Object.entries(summary.tags).map(([name, value]) => `${name}=${value}`);
  const rows: readonly (readonly [string, string | null])[] = [
    ['Agent', run.agent_name],
    ['Run', run.run_id],
    ['Status', run.status],
    ['Failure', failure && `${failure.type}: ${failure.message} (step ${failure.step})`],
    ['Created', run.created_at],
    ['Duration', totals.duration_ms === null ? null : formatDuration(totals.duration_ms)],
    ['Tags', tags.length === 0 ? null : tags.join(', ')],
    ['Events', `${events.length} (${count(calls.tool, 'tool call')}, ${count(calls.llm, 'LLM call')})`],
    ['Streams', streams === 0 ? null : `${streams}`],
    ['At once', atOnce < 2 ? null : `${atOnce} calls, at most`],
    ['Unanswered', calls.open === 0 ? null : count(calls.open, 'call')],
    ['Tokens', tokens.total === 0 ? null : `${tokens.total} (${tokens.prompt} in, ${tokens.completion} out)`],
    ['Cost', totals.cost_usd === null ? null : `$${totals.cost_usd}`],
    ['Redacted', redactions === 0 ? null : count(redactions, 'place')],
    ['Not stored', placeholders === 0 ? null : `${count(placeholders, 'value')} that JSON cannot hold`],
    ['Ambiguous', ambiguous === 0 ? null : `${count(ambiguous, 'call')} that only their order tells apart`],
    ['Integrity', INTEGRITY[integrity]],
  ];
  const alarming = { Status: run.status === 'failed', Failure: true, Integrity: integrity === 'mismatch' };
  return rows
    .flatMap(([name, value]) => {
      if (value === null) return [];
      // Folded as part of its row, whose name is painted by itself.
      const shown = folded(`${' '.repeat(NAMES)}${displayText(value)}`, terminal.columns, 0).trimStart();
      const red = alarming[name as keyof typeof alarming] === true;
      return `${terminal.paint('dim', name.padEnd(NAMES - 1))} ${red ? terminal.paint('red', shown) : shown}`;
    })
    .join('\n');
}

/** `1 tool call`, `2 tool calls`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
