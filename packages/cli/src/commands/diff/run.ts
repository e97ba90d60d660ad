import { diffTraces, formatDiff } from '@stepfork/diff';
import { loadTrace } from '@stepfork/trace-format';
import { comparingOf } from '../../config/comparing.js';
import type { ConfigSource } from '../../config/config-source.js';
import { redactionOf } from '../../config/redaction.js';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { jsonDocument } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import { whileReading } from '../../while-reading.js';
import { paintDiff } from './paint.js';

interface Given {
  readonly baseline: string;
  readonly candidate: string;
  readonly ignore: readonly string[] | undefined;
  readonly json: boolean | undefined;
}

export async function runDiff(given: Given, terminal: Terminal, config: ConfigSource): Promise<ExitCode> {
  const { baseline, candidate, json } = given;
  const project = await config();
  const { ignore } = comparingOf(project, given.ignore ?? []);
  const redact = redactionOf(project) ?? undefined;
  const { isEquivalent, shown } = await whileReading([baseline, candidate], () => {
    const result = diffTraces(loadTrace(baseline), loadTrace(candidate), { ignore, redact });
    const text = json
      ? jsonDocument({ schema: 'stepfork.diff/1', baseline, candidate, ...result })
      : paintDiff(formatDiff(result).trimEnd(), terminal);
    return { isEquivalent: result.equivalent, shown: text };
  });
  terminal.result(shown);
  return isEquivalent ? EXIT.same : EXIT.different;
}
