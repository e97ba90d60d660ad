import { stripVTControlCharacters } from 'node:util';
import { acts, type Step } from './acts.js';
import { type Outcome, runCommand } from './command.js';
import { keep, stage } from './layout.js';
import { createScreen, type Screen } from './screen.js';
import type { Story } from './story.js';

/**
 * Plays the story and prints it. Every line of output comes from a process that was really run; the demo only
 * adds the headings and the commands. Stops at the first command that does not do what it should, with exit
 * code 1. `keepResults` makes the recorded bundle and the exported tests the example's own.
 */
export async function play(story: Story, { keepResults = false } = {}): Promise<void> {
  const screen = createScreen(process.stdout);
  const folder = stage(story.folder);
  screen.heading(story.title);
  screen.text(story.plot);
  for (const [index, act] of acts(story).entries()) {
    screen.blank();
    screen.heading(`${index + 1}. ${act.title}`);
    for (const step of act.steps) {
      const fault = await runStep(step, folder, screen);
      if (fault !== null) {
        screen.blank();
        screen.heading(`The demo stopped: '${step.command.join(' ')}' ${fault}.`);
        process.exitCode = 1;
        return;
      }
    }
  }
  screen.blank();
  screen.heading('What this showed');
  for (const line of conclusion(story)) screen.text(line);
  if (keepResults) keep(story.folder);
}

async function runStep(step: Step, folder: string, screen: Screen): Promise<string | null> {
  screen.command(step.command);
  const outcome = await runCommand(step.command, { cwd: folder, colour: screen.colour, onLine: screen.output });
  return faultOf(step, outcome);
}

/** What a command did other than it should, or null. */
export function faultOf(step: Step, outcome: Outcome): string | null {
  if (outcome.exit !== step.exit) return `should exit ${step.exit} and exited ${outcome.exit}`;
  const output = stripVTControlCharacters(outcome.output);
  const missing = step.shows.find((text) => !output.includes(text));
  return missing === undefined ? null : `should print '${missing}'`;
}

function conclusion(story: Story): readonly string[] {
  return [
    `- One real run of the buggy agent was recorded: ${story.calls === 1 ? '1 call' : `${story.calls} calls`}, then answered from the recording.`,
    '- During replay and in both tests no tool and no model was executed, counted in the bodies themselves.',
    `- The exported vitest and jest tests failed on the buggy agent: ${story.mismatch}.`,
    '- The same two files, not regenerated, passed once the agent was fixed.',
  ];
}
