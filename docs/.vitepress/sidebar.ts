import type { DefaultTheme } from 'vitepress';

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
      { text: 'Command line', link: '/cli' },
      { text: 'Configuration', link: '/config' },
      { text: 'API', link: '/api' },
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
