import { StepforkError } from '@stepfork/trace-format/write';
import type { Options } from 'yargs';
import { addFlags, PARSING } from '../../add-flags.js';
import type { RegisteredCommand } from '../../command.js';

/** What is to be recorded, and how. */
export interface RecordGiven {
  readonly command: readonly [string, ...string[]];
  readonly agent?: string | undefined;
  readonly output?: string | undefined;
  readonly overwrite?: boolean | undefined;
}

const FLAGS: Readonly<Record<string, Options>> = {
  agent: { type: 'string', requiresArg: true, describe: "The agent's name; that of the program unless given" },
  output: {
    type: 'string',
    requiresArg: true,
    describe: 'Where to write the bundle; below .stepfork/traces unless given',
  },
  overwrite: { type: 'boolean', describe: 'Replace a bundle that is there' },
};
const EXAMPLES = [
  ['stepfork record -- node agent.js', 'record a program as it is'],
  ['stepfork record --agent triage --output failure.sftrace -- npm start', 'or whatever starts it'],
] as const;

/** Its operands are the command line of another program, so that it parses itself. */
export const recordCommand: RegisteredCommand = {
  name: 'record',
  operands: '-- <command>',
  options: Object.keys(FLAGS),
  valued: new Map([
    ['agent', []],
    ['output', []],
  ]),
  bundles: 0,
  takesProgram: true,
  register: (line, choose) => {
    line.command(
      'record [command..]',
      'Run a program and record what it asks of models and of other hosts',
      (sub) => {
        sub.positional('command', { type: 'string', describe: 'The program and its arguments, after --' });
        for (const [commandLine, what] of EXAMPLES) sub.example(commandLine, what);
        return addFlags(sub.parserConfiguration({ ...PARSING, 'populate--': true }), FLAGS).epilogue('');
      },
      (parsed) => {
        const given = parsed as Omit<RecordGiven, 'command'> & { readonly '--'?: readonly string[] };
        const [program, ...args] = given['--'] ?? [];
        choose(async (terminal) => {
          if (program === undefined) throw usage();
          return (await import('./run.js')).runRecord({ ...given, command: [program, ...args] }, terminal);
        });
      },
    );
  },
};

function usage(): StepforkError {
  return new StepforkError('usage', "'record' needs the program after '--': stepfork record -- node agent.js");
}
