import { displayText } from '@stepfork/trace-format/write';
import type { DiffResult, DiffStep, ValueChange } from '../result.js';
import { preview, previewPair } from './preview.js';

/** Changes of one step that are shown. */
const MOST_CHANGES = 20;
/** Characters of a label or path that are shown. */
const LONGEST_NAME = 200;

/**
 * A diff as plain text, one step that differs after another, by the number that `stepfork inspect --step` takes: the
 * baseline's, where that run has the step. Text from the traces cannot drive a terminal.
 *
 * @returns lines, the last one ended
 */
export function formatDiff(result: DiffResult): string {
  return `${[headline(result), ...notes(result), ...differingSteps(result)].join('\n')}\n`;
}

const KINDS = ['changed', 'moved', 'added', 'removed', 'unchanged'] as const;

function headline({ equivalent, counts }: DiffResult): string {
  if (equivalent) return 'The two runs behave the same.';
  return KINDS.filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${kind}`)
    .join(', ');
}

function notes({ approximate, notReplayed }: DiffResult): readonly string[] {
  const said: string[] = [];
  if (approximate) said.push('The runs are too different for a full search: fewer differences might describe them.');
  if (notReplayed !== undefined) {
    const steps = notReplayed === 1 ? '1 step' : `${notReplayed} steps`;
    said.push(`Not compared: ${steps} inside calls that the replay answered from the recording.`);
  }
  return said;
}

function differingSteps({ steps }: DiffResult): readonly string[] {
  const differing = steps.filter(({ kind }) => kind !== 'unchanged');
  return differing.length === 0 ? [] : ['', ...differing.flatMap(stepLines)];
}

function stepLines(step: DiffStep): readonly string[] {
  const shown = step.changes.slice(0, MOST_CHANGES).map((change) => `  ${changeText(change)}`);
  const rest = step.changes.length - shown.length;
  return [`${step.kind} ${stepName(step)}`, ...shown, ...(rest > 0 ? [`  … and ${rest} more`] : [])];
}

function stepName({ kind, type, label, baselineStep, candidateStep }: DiffStep): string {
  const name = type === 'run' ? label : `${type} ${label}`;
  const place = kind === 'moved' ? `${baselineStep} → ${candidateStep}` : `${baselineStep ?? candidateStep}`;
  return `step ${place} ${shorten(name)}`;
}

function changeText({ path, kind, before, after }: ValueChange): string {
  const place = shorten(path);
  if (kind === 'added') return `${place}: added ${preview(after)}`;
  if (kind === 'removed') return `${place}: removed ${preview(before)}`;
  return `${place}: ${previewPair(before, after).join(' → ')}`;
}

function shorten(text: string): string {
  return displayText(text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text);
}
