import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { ansiToSvg } from '../../cli/scripts/ansi-to-svg.mjs';
import { readPng, writePng } from './png.js';
import { onTerminal } from './terminal.js';
import { ROOT } from './workspace.js';

/** Where pages take their pictures from. */
export const IMAGES = join(ROOT, 'docs/images');

/** Pixels of a picture for one of the page: sharp on most screens, and still a small file. */
const SCALE = 1.5;

/** What there is to take pictures of. */
export interface Scenery {
  readonly browser: Browser;
  /** The built site, on loopback. */
  readonly origin: string;
  /** A project in which getting-started.md has been followed to its end. */
  readonly project: string;
}

export interface Taken {
  readonly png: Buffer;
  /** What can be read in the picture. */
  readonly text: string;
}

export interface Screenshot {
  readonly file: string;
  /** What has to be readable in it. */
  readonly shows: readonly string[];
  readonly take: (scenery: Scenery) => Promise<Taken>;
}

/** Every picture that a browser takes for the pages and the READMEs. */
export const SCREENSHOTS: readonly Screenshot[] = [
  {
    file: 'first-run.png',
    shows: ['npx stepfork inspect latest', 'find_order', '"text":"Damaged."', '"refund":false'],
    take: (scenery) => terminal(scenery, 'npx stepfork inspect latest'),
  },
  {
    file: 'first-fix.png',
    shows: [
      'npx stepfork diff latest fixed.sftrace',
      '1 changed, 2 unchanged',
      'changed step 5 run',
      'output.refund: false → true',
    ],
    take: (scenery) => terminal(scenery, 'npx stepfork diff latest fixed.sftrace'),
  },
  { file: 'inspect.png', shows: ['stepfork inspect', 'travel-agent'], take: (scenery) => drawing(scenery, 'inspect') },
  {
    file: 'replay.png',
    shows: ['stepfork replay', 'diverged', 'agent.mjs:15:3'],
    take: (scenery) => drawing(scenery, 'replay'),
  },
  { file: 'diff.png', shows: ['stepfork diff', 'changed'], take: (scenery) => drawing(scenery, 'diff') },
  { file: 'search.png', shows: ['output_exists', 'Errors', 'Reading and writing bundles'], take: search },
];

/** A command of getting-started.md, on a terminal in the project that the page made. */
async function terminal({ browser, project }: Scenery, command: string): Promise<Taken> {
  const columns = 100;
  // What npx starts, without the spinner that npx shows while it looks for it.
  const started = `PATH="$PWD/node_modules/.bin:$PATH" ${command.replace(/^npx /, '')}`;
  const output = await onTerminal(started, project, columns);
  const screen = ansiToSvg(command, `\u001b[2m$\u001b[22m ${command}\n${output}`, columns);
  return withPage(browser, (page) => drawn(page, screen));
}

/** A screen that packages/cli/scripts/screens.mjs drew of a real run; in the picture the reader needs no font for it. */
async function drawing({ browser }: Scenery, name: string): Promise<Taken> {
  const screen = readFileSync(join(IMAGES, `${name}.svg`), 'utf8');
  return withPage(browser, (page) => drawn(page, screen));
}

async function drawn(page: Page, svg: string): Promise<Taken> {
  await page.setContent(`<!doctype html><style>body { margin: 0 }</style>${svg}`);
  return takenOf(page.locator('svg'));
}

/** The site's search, asked for a code that a message named. */
function search({ browser, origin }: Scenery): Promise<Taken> {
  return withPage(browser, async (page) => {
    await page.goto(`${origin}/errors.html`);
    await page.locator('.VPNavBarSearch button').first().click();
    await page.locator('#localsearch-input').fill('output_exists');
    await page.locator('.VPLocalSearchBox .result', { hasText: 'Errors' }).first().waitFor();
    await page.waitForLoadState('networkidle');
    const taken = await takenOf(page.locator('.VPLocalSearchBox .shell'));
    return { ...taken, text: `${await page.locator('#localsearch-input').inputValue()} ${taken.text}` };
  });
}

async function withPage<T>(browser: Browser, use: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({
    deviceScaleFactor: SCALE,
    viewport: { width: 800, height: 480 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

async function takenOf(element: Locator): Promise<Taken> {
  const text = (await element.textContent()) ?? '';
  const taken = await element.screenshot({ animations: 'disabled', omitBackground: true, caret: 'hide' });
  return { png: writePng(readPng(taken)), text };
}
