import type { MarkdownRenderer } from 'vitepress';

/** Shows which file a code block is: the pages say it as `title="agent.ts"`, as the README does. */
export function showBlockTitles(markdown: MarkdownRenderer): void {
  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const block = fence?.(tokens, index, ...rest) ?? '';
    const title = /title="([^"]+)"/.exec(tokens[index]?.info ?? '')?.[1];
    return title === undefined
      ? block
      : `<p class="block-title"><code v-pre>${markdown.utils.escapeHtml(title)}</code></p>${block}`;
  };
}
