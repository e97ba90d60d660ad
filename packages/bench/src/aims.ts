import type { Row, Table } from './bench.js';

/** How far a figure is to reach, and what keeps it from there. */
interface Aim {
  /** Title of a table, and name of a row of it. */
  readonly table: string;
  readonly row: string;
  /** As a multiple of another row (`ratio`), above another row (`added`), or as it is (`value`), in the table's unit. */
  readonly kind: 'ratio' | 'added' | 'value';
  /** The other row; '' for none. */
  readonly by: string;
  readonly most: number;
  /** What bounds it, as a profile shows; said where the aim is not reached. */
  readonly bound: string;
}

const EVENT =
  'By a CPU profile of the event path, two fifths go into the canonical text (keys in order, then JSON.stringify), a fifth into the search for secrets, a tenth into the hash and a seventh into the system call; the floor stringifies and writes, and nothing else. What would be left out is the hash, the search, or plain JavaScript.';
const CALL =
  'By a CPU profile, a sixth of a recorded call is system calls (both events and what is noted of the call are on the disk before it returns), a sixth the copy of its payloads, an eighth their canonical text, a ninth the search for secrets, a twelfth garbage collection. A batch processor and pino copy, search and hash nothing, and the former loses its batch with the process.';
const REPLAYED =
  "By a CPU profile, a seventh goes into the plan of the run, a sixth into the live call's event, its redaction and its key, a fifth into undici's Response and the reading of it, a ninth into garbage collection, and a sixteenth into the check of the answer's stored hash. A mock keeps none of these promises but the Response.";
const RECORDED =
  'The request and the answer are two events of 2 and 4 KB, and the answer is read twice: by the agent, and for the recording.';

const OURS = 'Stepfork, recording';
const OTEL = 'OpenTelemetry span, batch processor, file exporter';
const BARE_FETCH = 'bare fetch, loopback server';

const recorded = (size: string): readonly Aim[] =>
  [
    { by: OTEL, most: 1 },
    { by: 'pino, both payloads, written at once', most: 1.2 },
    { by: 'LangSmith traceable, without a network', most: 0.08 },
  ].map((aim) => ({ ...aim, table: `A tool call, 300 B in, ${size} out`, row: OURS, kind: 'ratio', bound: CALL }));

const diffed = (percent: number): Aim => ({
  table: `100,000 calls, ${percent} % changed`,
  row: 'Stepfork: two traces, as behaviour',
  kind: 'value',
  by: '',
  most: 600,
  bound: 'See above what the time goes into; a pair of calls costs some six microseconds.',
});

const http = (how: string): readonly Aim[] => [
  {
    table: `HTTP, replayed ${how}`,
    row: 'Stepfork, replaying',
    kind: 'ratio',
    by: BARE_FETCH,
    most: 0.25,
    bound: REPLAYED,
  },
  { table: `HTTP, recorded ${how}`, row: OURS, kind: 'ratio', by: BARE_FETCH, most: 1.3, bound: RECORDED },
];

const AIMS: readonly Aim[] = [
  {
    table: 'One event of 4 KB',
    row: 'Stepfork: redact, canonical text, hash, write',
    kind: 'ratio',
    by: 'floor: JSON.stringify, write',
    most: 2,
    bound: EVENT,
  },
  {
    table: 'One event of 4 KB',
    row: 'Stepfork: redact, canonical text, hash, write',
    kind: 'ratio',
    by: 'the usual recipe: six regexes, stable-stringify, SHA-256, appendFile',
    most: 0.45,
    bound: EVENT,
  },
  ...recorded('4 KB'),
  {
    table: 'A tool call, 300 B in, 4 KB out',
    row: 'Stepfork, nothing active',
    kind: 'value',
    by: '',
    most: 1,
    bound: 'One look into an AsyncLocalStorage, and one at what is active in the process.',
  },
  ...http('one after the other'),
  ...http('50 at a time'),
  {
    table: 'The first chunk of a streamed answer',
    row: 'added by recording',
    kind: 'value',
    by: '',
    most: 1,
    bound:
      "By marks in the path, half goes into the request's event, which is on the disk before the request is sent, a quarter into what is recorded of the answer's head and the copy of the Response, and a sixth into the way of the chunk, which is written when the agent has it. It is code that runs once a request, and so runs cold.",
  },
  {
    table: 'A bundle of 25,000 calls, about 4 KB each',
    row: 'Stepfork: validate and verify',
    kind: 'ratio',
    by: 'floor: read, split, JSON.parse',
    most: 1.5,
    bound:
      'By a CPU profile, a third of it is the look at every byte that tells JSON without parsing it, a fifth is SHA-256, of the file and of each payload, and a tenth the parsing of what is no payload. It adds the same 280 ms to a floor of 350 ms and, on another machine, to one of 529, where it was 1.53.',
  },
  {
    table: 'A bundle of 25,000 calls, about 4 KB each',
    row: 'Stepfork: validate and verify',
    kind: 'ratio',
    by: 'readline, zod, canonical text again',
    most: 1 / 3,
    bound: '',
  },
  diffed(1),
  diffed(10),
  {
    table: 'Importing it',
    row: '@stepfork/recorder',
    kind: 'added',
    by: 'an empty module',
    most: 15,
    bound:
      'Modules of Node that an empty module does not load (crypto, async_hooks, perf_hooks, util) take most of it.',
  },
  {
    table: 'Starting the command',
    row: 'stepfork --version',
    kind: 'ratio',
    by: 'node -e 0',
    most: 2.5,
    bound: '',
  },
];

/** One line for each aim of a table. */
export function aimLines(table: Table): readonly string[] {
  return AIMS.filter((aim) => aim.table === table.title).map((aim) => aimLine(aim, table));
}

/** Titles of tables that aims are about, and that are not there. */
export function withoutTable(tables: readonly Table[]): readonly string[] {
  const titles = new Set(tables.map(({ title }) => title));
  return [...new Set(AIMS.map(({ table }) => table))].filter((title) => !titles.has(title));
}

function aimLine({ row, kind, by, most, bound }: Aim, { rows, unit, reference }: Table): string {
  const own = rowOf(rows, row);
  const other = by === '' ? null : rowOf(rows, by);
  const figure =
    other === null ? own.value : kind === 'added' ? own.value - other.value : ratioOf(own, other, reference);
  const what = { ratio: `× ${by}`, added: `${unit} above ${by}`, value: unit }[kind];
  const said = `Aim: ${row}, at most ${Number(most.toPrecision(2))} ${what}.`;
  return figure <= most ? `${said} Reached.` : `${said} Not reached: ${figure.toPrecision(3)}. ${bound}`;
}

function ratioOf(own: Row, other: Row, reference: string): number {
  return other.name === reference && own.ratio !== null ? own.ratio : own.value / other.value;
}

function rowOf(rows: readonly Row[], name: string): Row {
  const row = rows.find((each) => each.name === name);
  if (row === undefined) throw new Error(`an aim is about '${name}', and no row of the table is; change src/aims.ts`);
  return row;
}
