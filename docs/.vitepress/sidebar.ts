import { readdirSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';

/** The pages of the API reference, which are made: one for each entry of each package. */
function apiPages(): DefaultTheme.SidebarItem[] {
  return readdirSync(new URL('../api', import.meta.url))
    .sort()
    .map((file) => file.replace(/\.md$/, ''))
    .map((name) => ({ text: name, link: `/api/${name}` }));
}

/** Every page has one place here; a test asks for it. */
export const SIDEBAR: DefaultTheme.SidebarItem[] = [
  {
    text: 'Start',
    items: [
      { text: 'What it is', link: '/' },
      { text: 'Getting started', link: '/getting-started' },
      { text: '… with an SDK, or jest', link: '/getting-started-with' },
      { text: 'Concepts', link: '/concepts' },
      { text: 'Trying it in a team', link: '/early-adopters' },
      { text: 'Coming from Python', link: '/migrating-from-python' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Recording', link: '/recording' },
      {
        text: 'SDKs',
        link: '/integrations',
        items: [
          { text: 'openai', link: '/integrations/openai' },
          { text: '@anthropic-ai/sdk', link: '/integrations/anthropic' },
          { text: 'AI SDK', link: '/integrations/ai-sdk' },
          { text: 'A program as it is', link: '/integrations/register' },
        ],
      },
      { text: 'Replaying', link: '/replay' },
      { text: 'Assertions', link: '/assertions' },
      { text: 'Diff', link: '/diff' },
      { text: 'Exporting a test', link: '/exporting' },
      { text: 'In CI', link: '/ci' },
      { text: 'Redaction', link: '/redaction' },
      { text: 'Writing an exporter', link: '/writing-an-exporter' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Command line', link: '/cli', items: [{ text: 'Every option', link: '/cli-options' }] },
      { text: 'Configuration', link: '/config' },
      { text: 'API', link: '/api', collapsed: true, items: apiPages() },
      { text: 'Trace format', link: '/trace-format' },
      { text: 'Errors', link: '/errors' },
      { text: 'Security and limits', link: '/security' },
    ],
  },
  {
    text: 'Project',
    items: [
      { text: 'Architecture', link: '/architecture' },
      { text: 'Contributing', link: '/contributing' },
      { text: 'Roadmap', link: '/roadmap' },
      { text: 'Changelog', link: '/changelog' },
      { text: 'Releasing', link: '/releasing' },
    ],
  },
];
