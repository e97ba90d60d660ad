/** A fenced block of a Markdown page. */
export interface Block {
  /** `sh`, `ts`, `diff`, … or empty. */
  readonly language: string;
  /** From `title="agent.ts"`. */
  readonly title: string | null;
  readonly text: string;
  /** 1-based line of the opening fence. */
  readonly line: number;
}

/** The text of the section with that heading, sub-sections included, and the line it starts at. */
export function section(page: string, heading: string): { readonly text: string; readonly line: number } {
  const lines = page.split('\n');
  const headings = headingLines(lines);
  const start = headings.find(({ text }) => text === heading);
  if (start === undefined) throw new Error(`no heading '${heading}'`);
  const next = headings.find(({ line, depth }) => line > start.line && depth <= start.depth);
  return { text: lines.slice(start.line, next?.line).join('\n'), line: start.line };
}

function headingLines(lines: readonly string[]): readonly { line: number; depth: number; text: string }[] {
  let inFence = false;
  return lines.flatMap((text, line) => {
    if (text.startsWith('```')) inFence = !inFence;
    const [, hashes = '', title = ''] = /^(#+) (.+)$/.exec(text) ?? [];
    return inFence || hashes === '' ? [] : [{ line, depth: hashes.length, text: title }];
  });
}

/** The fenced blocks of `text`, in order. */
export function blocks(text: string, firstLine = 0): readonly Block[] {
  const found: Block[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const fence = /^```(\w*)\s*(.*)$/.exec(lines[at] ?? '');
    if (fence === null) continue;
    const end = lines.indexOf('```', at + 1);
    if (end === -1) throw new Error(`line ${firstLine + at + 1}: a fence that is never closed`);
    found.push({
      language: fence[1] ?? '',
      title: /title="([^"]+)"/.exec(fence[2] ?? '')?.[1] ?? null,
      text: `${lines.slice(at + 1, end).join('\n')}\n`,
      line: firstLine + at + 1,
    });
    at = end;
  }
  return found;
}
