import { type ScanFinding, scanBundle } from '@stepfork/redact/bundle';
import { verifyIntegrity } from '@stepfork/trace-format';
import { displayText } from '@stepfork/trace-format/write';
import type { ConfigSource } from '../../config/config-source.js';
import { redactionOf } from '../../config/redaction.js';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { folded } from '../../fold.js';
import { jsonDocument } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import { whileReading } from '../../while-reading.js';

interface Given {
  readonly bundle: string;
  readonly json: boolean | undefined;
}

/** Tells where today's rules, and the project's own, strike, and never what they strike. */
export async function runScan({ bundle, json }: Given, terminal: Terminal, config: ConfigSource): Promise<ExitCode> {
  const rules = redactionOf(await config()) ?? {};
  const findings = await whileReading([bundle], () => {
    // What is no bundle is refused as everywhere; a bundle that is broken or changed is scanned all the same.
    verifyIntegrity(bundle);
    return scanBundle(bundle, rules);
  });
  const exitCode = findings.length === 0 ? EXIT.same : EXIT.different;
  if (json) {
    const clean = findings.length === 0;
    const rows = findings.map(({ eventId, ...place }) => ({ ...place, event_id: eventId ?? null }));
    terminal.result(jsonDocument({ schema: 'stepfork.scan/1', bundle, clean, findings: rows }));
    return exitCode;
  }
  const verdict =
    findings.length === 0
      ? terminal.paint('green', 'no secret found')
      : terminal.paint('red', `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`);
  terminal.result(`${displayText(bundle)}: ${verdict}`);
  for (const finding of findings) terminal.result(folded(`  ${findingLine(finding)}`, terminal.columns));
  return exitCode;
}

/** `events.jsonl:3  /output/token  slack-token`. */
function findingLine({ file, line, path, rule }: ScanFinding): string {
  const place = line === null ? file : `${file}:${line}`;
  return [place, path, rule]
    .filter((part) => part !== null)
    .map(displayText)
    .join('  ');
}
