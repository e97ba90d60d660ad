// npm run bench [-- name …] [-- --brief]: measures, prints, and rewrites README.md and results.json unless in brief.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutTable } from './aims.js';
import { BENCHES } from './benches.js';
import { consumed } from './measure/rounds.js';
import { type Report, toMarkdown } from './report.js';

const args = process.argv.slice(2);
const effort = args.includes('--brief') ? 'brief' : 'full';
const names = args.filter((arg) => !arg.startsWith('--'));
const stray = args.find((arg) => arg.startsWith('--') && arg !== '--brief');
if (stray !== undefined) {
  process.stderr.write(`There is no option '${stray}', only --brief. Nothing was measured.\n`);
  process.exit(2);
}
const unknown = names.find((name) => BENCHES.every((bench) => bench.name !== name));
if (unknown !== undefined) {
  process.stderr.write(`There is no bench '${unknown}'. One of: ${BENCHES.map(({ name }) => name).join(', ')}.\n`);
  process.exit(2);
}

const benches: Report['benches'][number][] = [];
for (const { name, question, run } of BENCHES) {
  if (names.length > 0 && !names.includes(name)) continue;
  process.stderr.write(`measuring ${name} …\n`);
  benches.push({ name, question, tables: await run(effort) });
}
consumed();

const report: Report = { node: process.versions.node, benches };
const text = toMarkdown(report);
process.stdout.write(text);
if (effort === 'full' && names.length === 0) {
  for (const title of withoutTable(benches.flatMap(({ tables }) => tables))) {
    process.stderr.write(`No table has the title '${title}', of which src/aims.ts says what is aimed at.\n`);
    process.exitCode = 1;
  }
  const folder = dirname(dirname(fileURLToPath(import.meta.url)));
  writeFileSync(join(folder, 'README.md'), text);
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(report, null, 2)}\n`);
}
