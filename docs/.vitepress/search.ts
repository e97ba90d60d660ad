import type { DefaultTheme } from 'vitepress';

/**
 * Words as the index and a query have them: a code such as `output_exists` is one, and so is each part of it. It is
 * handed to the browser as text, so it uses nothing from outside.
 */
function wordsOf(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => (word.includes('_') ? [word, ...word.split('_').filter((part) => part !== '')] : [word]));
}

/** A page that explains a word comes before the declarations that name it. */
const weightOf = (id: string): number => (id.startsWith('/api/') ? 0.1 : 1);

/** Search without a server: the index is a file of the site. */
export const SEARCH: { provider: 'local'; options: DefaultTheme.LocalSearchOptions } = {
  provider: 'local',
  options: { miniSearch: { options: { tokenize: wordsOf }, searchOptions: { boostDocument: weightOf } } },
};
