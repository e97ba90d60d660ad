import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyDiff } from './apply-diff.js';
import type { Block } from './markdown.js';
import { type Run, shell } from './run.js';

/** One command of a page and what came of it. */
export interface Walked {
  readonly command: string;
  readonly line: number;
  readonly run: Run;
  /** Exit code that the page promises: 0, or what `# exits 1` says. */
  readonly promised: number;
}

/**
 * Does what a page says, in order and in `folder`: `sh` blocks are run command by command, blocks with a title
 * become that file, a `diff` block changes it, and each line of a `text` block must stand in the output of the
 * commands before it (`…` for what differs from run to run). Stops at the first broken promise.
 */
export async function follow(page: readonly Block[], folder: string, env: Record<string, string>): Promise<Walked[]> {
  const walked: Walked[] = [];
  let lastOutput = '';
  for (const block of page) {
    if (block.language === 'sh') {
      lastOutput = '';
      for (const { command, promised } of commands(block.text)) {
        const run = await shell(command, { cwd: folder, env });
        if (run.exit !== promised) {
          throw new Error(
            `line ${block.line}: '${command}' exited ${run.exit} where the page says ${promised}:\n${run.output}`,
          );
        }
        walked.push({ command, line: block.line, run, promised });
        lastOutput += run.output;
      }
    } else if (block.language === 'text') {
      for (const line of block.text.split('\n').filter((text) => text.trim() !== '')) {
        if (!matcher(line).test(lastOutput)) {
          throw new Error(`line ${block.line}: the page shows '${line.trim()}', the commands printed:\n${lastOutput}`);
        }
      }
    } else if (block.title === null) {
      throw new Error(`line ${block.line}: a '${block.language}' block that names no file`);
    } else {
      place(block, block.title, folder);
    }
  }
  return walked;
}

function place(block: Block, title: string, folder: string): void {
  const file = join(folder, title);
  mkdirSync(dirname(file), { recursive: true });
  const text = block.language === 'diff' ? applyDiff(readFileSync(file, 'utf8'), block.text) : block.text;
  writeFileSync(file, text);
}

/** The commands of an `sh` block: one a line, a line that ends in a backslash going on in the next. */
export function commands(text: string): readonly { readonly command: string; readonly promised: number }[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({
      command: line.replace(/\s+#.*$/, ''),
      promised: Number(/#\s*exits (\d+)/.exec(line)?.[1] ?? 0),
    }));
}

function matcher(line: string): RegExp {
  const parts = line
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s+/g, '\\s+'));
  return new RegExp(parts.join('.*'));
}
