import { diffTraces, formatDiff } from '@stepfork/diff';
import { loadTrace } from '@stepfork/trace-format';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { jsonDocument } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';

interface Given {
  readonly baseline: string;
  readonly candidate: string;
  readonly json: boolean | undefined;
}

export async function runDiff({ baseline, candidate, json }: Given, terminal: Terminal): Promise<ExitCode> {
  const result = diffTraces(loadTrace(baseline), loadTrace(candidate));
  terminal.result(
    json ? jsonDocument({ schema: 'stepfork.diff/1', baseline, candidate, ...result }) : formatDiff(result).trimEnd(),
  );
  return result.equivalent ? EXIT.same : EXIT.different;
}
