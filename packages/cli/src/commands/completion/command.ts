import { StepforkError } from '@stepfork/trace-format/write';
import { defineCommand } from '../../command.js';

const SHELLS = ['bash', 'zsh'] as const;

export const completionCommand = defineCommand({
  name: 'completion',
  summary: 'Print what a shell needs to complete stepfork commands',
  operands: {},
  optional: { shell: 'bash or zsh; the one of $SHELL unless given' },
  flags: {},
  examples: [
    ['source <(stepfork completion bash)', 'in ~/.bashrc'],
    ['source <(stepfork completion zsh)', 'in ~/.zshrc, after compinit'],
    ['stepfork completion', 'for the shell that $SHELL names'],
  ],
  check: ({ shell }) => {
    if (shell === undefined || SHELLS.some((known) => known === shell)) return;
    throw new StepforkError(
      'usage',
      `there are completions for bash and zsh, not for '${shell}'. Give one of the two.`,
    );
  },
  run: async (given, terminal) => (await import('./run.js')).runCompletion(given, terminal),
});
