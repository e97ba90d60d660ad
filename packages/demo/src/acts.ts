import { AGENT, FAILURE, FIXED, jestTest, vitestTest } from './layout.js';
import type { Story } from './story.js';

/** One command of the demo and what it has to do. */
export interface Step {
  /** Program and arguments, as a person would type them after `npx`. */
  readonly command: readonly [string, ...string[]];
  readonly exit: number;
  /** Texts that its output must hold. */
  readonly shows: readonly string[];
}

export interface Act {
  readonly title: string;
  readonly steps: readonly Step[];
}

const PASSES = 0;
const DIFFERS = 1;

/** The whole story, as data: what is run, in which order, and what each command has to come to. */
export function acts(story: Story): readonly Act[] {
  const inVitest = vitestTest(story.testName);
  const inJest = jestTest(story.testName);
  const bodies = (count: number): Step => ({
    command: ['count-bodies', 'services.log'],
    exit: PASSES,
    shows: [`tool and model bodies executed: ${count}`],
  });
  const exportTo = (framework: string, file: string): Step => ({
    command: [
      ...(['stepfork', 'export', FAILURE, '--to', framework, '--entrypoint', story.entrypoint] as const),
      // Two tests of one recording.
      ...['--expect-output', 'expected.json', '--no-copy', '--output', file],
    ],
    exit: PASSES,
    shows: [file],
  });
  const vitest = (exit: number, shows: readonly string[]): Step => ({
    command: ['vitest', 'run', '--reporter=verbose'],
    exit,
    shows,
  });
  const jest = (exit: number, shows: readonly string[]): Step => ({ command: ['jest', '--verbose'], exit, shows });

  return [
    {
      title: 'Record the run that goes wrong',
      steps: [{ command: ['jiti', 'src/record.ts', FAILURE], exit: PASSES, shows: [] }, bodies(story.calls)],
    },
    {
      title: 'Check the bundle: its structure, its hashes, its files',
      steps: [{ command: ['stepfork', 'validate', FAILURE, '--verify-integrity'], exit: PASSES, shows: [] }],
    },
    {
      title: 'See what the agent did',
      steps: [{ command: ['stepfork', 'inspect', FAILURE], exit: PASSES, shows: [] }],
    },
    {
      title: 'Run the agent again, frozen: recorded answers, no tool, no model',
      steps: [
        {
          command: ['stepfork', 'replay', FAILURE, '--entrypoint', story.entrypoint],
          exit: PASSES,
          shows: ['matched'],
        },
        bodies(0),
      ],
    },
    {
      title: 'Export the failure as a test, once for vitest and once for jest',
      steps: [exportTo('vitest', inVitest), exportTo('jest', inJest)],
    },
    {
      title: 'On the buggy agent both tests fail',
      steps: [vitest(DIFFERS, [story.mismatch]), jest(DIFFERS, [story.mismatch])],
    },
    { title: 'Fix the agent', steps: [{ command: ['apply-fix', `../${AGENT}`, AGENT], exit: PASSES, shows: [] }] },
    {
      title: 'On the fixed agent the same two files pass',
      steps: [vitest(PASSES, []), jest(PASSES, []), bodies(0)],
    },
    {
      title: 'Record the fixed agent, and see what the fix changed',
      steps: [
        { command: ['jiti', 'src/record.ts', FIXED], exit: PASSES, shows: [] },
        { command: ['stepfork', 'diff', FAILURE, FIXED], exit: DIFFERS, shows: ['1 changed', 'output.'] },
      ],
    },
  ];
}
