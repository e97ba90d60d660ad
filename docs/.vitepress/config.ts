import { defineConfig } from 'vitepress';
import { anchorOf } from './anchors.js';
import { showBlockTitles } from './block-titles.js';
import { ICON } from './icon.js';
import { NAVIGATION } from './navigation.js';
import { leadToRepository, REPOSITORY } from './repository.js';
import { SEARCH } from './search.js';
import { SIDEBAR } from './sidebar.js';

/** Everything that a page needs is built into the folder: a reader's browser asks no other host for anything. */
export default defineConfig({
  title: 'Stepfork',
  description: 'An AI agent failed: Stepfork turns that run into a test.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: ICON }]],
  outDir: '.vitepress/dist',
  cacheDir: 'node_modules/.vitepress',
  cleanUrls: false,
  markdown: {
    anchor: { slugify: anchorOf },
    config: (markdown) => {
      leadToRepository(markdown);
      showBlockTitles(markdown);
    },
  },
  themeConfig: {
    nav: NAVIGATION,
    sidebar: SIDEBAR,
    outline: [2, 3],
    search: SEARCH,
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: 'Correct this page' },
    footer: { message: 'Apache-2.0' },
  },
});
