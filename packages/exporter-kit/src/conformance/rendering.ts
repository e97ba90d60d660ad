import type { RegressionCase } from '../case.js';
import type { Exporter, RenderedFile } from '../exporter.js';
import { renderCase } from '../render-case.js';
import { type ConformanceOptions, notConformant } from './contract.js';

/** What is shown but not seen, or drives a terminal. */
const HIDDEN = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** The files of a case, if they can be those of a test: pure text, in the test's folder, the same each time. */
export function rendered(exporter: Exporter, regression: RegressionCase): readonly RenderedFile[] {
  const files = renderCase(exporter, regression);
  const again = renderCase(exporter, regression);
  if (JSON.stringify(files) !== JSON.stringify(again))
    throw notConformant('the same case is rendered otherwise the second time');
  if (!files.some(({ path }) => path === regression.fileName)) {
    throw notConformant(`no file is named ${regression.fileName}, as the case names the test`);
  }
  const paths = files.map(({ path }) => path);
  if (new Set(paths).size < paths.length) throw notConformant('two files have one path');
  const outside = paths.find((path) => /^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path));
  if (outside !== undefined) throw notConformant(`${outside} leaves the test's folder`);
  return files;
}

/** Refuses files that show less than they hold, or are none of their language. */
export function requireHarmless(files: readonly RenderedFile[], { parse }: Pick<ConformanceOptions, 'parse'>): void {
  for (const { path, text } of files) {
    const hidden = HIDDEN.exec(text);
    if (hidden !== null) {
      const code = hidden[0].codePointAt(0)?.toString(16);
      throw notConformant(`${path} has the character U+${code} in it, which does not show`);
    }
    parse?.(text, path);
  }
}
