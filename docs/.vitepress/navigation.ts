import type { DefaultTheme } from 'vitepress';
import { REPOSITORY } from './repository.js';

/** The line at the top of every page. */
export const NAVIGATION: DefaultTheme.NavItem[] = [
  { text: 'Getting started', link: '/getting-started' },
  { text: 'Command line', link: '/cli' },
  { text: 'Errors', link: '/errors' },
  { text: 'Repository', link: REPOSITORY },
];
