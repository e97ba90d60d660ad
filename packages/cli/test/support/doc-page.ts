import { readFileSync } from 'node:fs';

/** A command line of a page, and what the page says that it prints. */
export interface ShownCommand {
  /** Without `npx stepfork`. */
  readonly line: string;
  readonly output: string;
  readonly exitCode: number;
  /** Another setting of its block: `stdin`, `env`, `write`. */
  readonly setting: (name: string) => string | undefined;
}

export interface DocPage {
  readonly text: string;
  /** Blocks with a title, which are files. */
  readonly files: Readonly<Record<string, string>>;
  readonly commands: readonly ShownCommand[];
}

/** A page of docs/, its blocks ready to be tried. */
export function readPage(name: string): DocPage {
  const text = readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');
  const blocks = Array.from(text.matchAll(/^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm), (match) => {
    const [, language = '', settings = '', body = ''] = match;
    const setting = (key: string): string | undefined =>
      new RegExp(`${key}="((?:[^"\\\\]|\\\\.)*)"`).exec(settings)?.[1]?.replaceAll('\\"', '"');
    return { language, body, setting, exitCode: Number(/exit=(\d+)/.exec(settings)?.[1] ?? 0) };
  });
  return {
    text,
    files: Object.fromEntries(
      blocks.flatMap(({ body, setting }) => {
        const title = setting('title');
        return title === undefined ? [] : [[title, body]];
      }),
    ),
    commands: blocks
      .filter(({ language }) => language === 'console')
      .map(({ body, setting, exitCode }) => {
        const [line = '', ...output] = body.split('\n');
        return { line: line.replace(/^\$ npx stepfork ?/, ''), output: output.join('\n'), exitCode, setting };
      }),
  };
}

/** What differs from run to run, made the same. */
export function steady(text: string): string {
  return text
    .replace(/\b(run|evt)_[0-9a-f]{32}\b/g, '$1_…')
    .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replace(/\[[0-9a-f]{12}…\]/g, '[<hash>]')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/(stepfork |"stepfork_version": ")\d+\.\d+\.\d+[\w.-]*/g, '$1<version>')
    .replace(/\b\d+ ms\b/g, '<ms>')
    .replace(/"duration_ms": \d+/g, '"duration_ms": <ms>')
    .replace(/"size_bytes": \d+/g, '"size_bytes": <size>')
    .replace(/"short_id": "\w+"/g, '"short_id": "<id>"')
    .replace(/^( *|(?:output-changed|matched) +)[0-9a-f]{8} /gm, '$1<id> ')
    .replace(/\b\d+(?:\.\d)? k?B\b/g, '<size>')
    .replace(/\b\d+ (?:s|min|h|d) /g, '<age> ')
    .replace(/(?<=\S) {2,}/g, '  ');
}
