import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChromium } from '../../src/chromium.js';
import { blocks } from '../../src/markdown.js';
import { type ServedFolder, serveFolder } from '../../src/serve-folder.js';
import { buildSite, readPage, siteIn } from '../../src/site.js';
import { remove, temporaryFolder } from '../../src/temporary-folder.js';

const folder = temporaryFolder('browsed site');
let browser: Browser;
let served: ServedFolder;

beforeAll(async () => {
  browser = await startChromium();
  const { exit, output } = await buildSite(folder);
  if (exit !== 0) throw new Error(output);
  served = await serveFolder(siteIn(folder));
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  remove(folder);
});

/** A page in a context of its own, and what a reader must never see: errors, and requests to other hosts. */
async function newPage(): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${served.origin}/`) && !request.url().startsWith('data:')) {
      faults.push(`foreign: ${request.url()}`);
    }
  });
  return { page, faults };
}

const settled = (page: Page) => page.waitForLoadState('networkidle');

test('a reader comes from the home page to getting started, and follows its links', async () => {
  const { page, faults } = await newPage();
  await page.goto(`${served.origin}/`);
  await settled(page);
  expect(await page.locator('h1').textContent()).toContain('Stepfork');
  const picture = page.locator('.vp-doc img').first();
  expect(await picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBeGreaterThan(0);

  await page.locator('.VPHero').getByRole('link', { name: 'Getting started' }).click();
  await page.waitForURL('**/getting-started.html');
  expect(await page.locator('h1').textContent()).toContain('Getting started');
  expect(await page.locator('.block-title').allInnerTexts()).toContain('agent.ts');

  await page.locator('.vp-doc').getByRole('link', { name: 'Concepts' }).click();
  await page.waitForURL('**/concepts.html');
  await page.locator('.vp-doc').getByRole('link', { name: 'which recording answers' }).click();
  await page.waitForURL('**/replay.html#which-recording-answers');
  await page.locator('#which-recording-answers').waitFor({ state: 'visible' });
  await settled(page);
  expect(faults).toEqual([]);
});

// That doing what the page says leads to a red and then a green test is shown by getting-started.test.ts.
test('what a reader can copy from getting started is what the tests do', async () => {
  const { page, faults } = await newPage();
  await page.goto(`${served.origin}/getting-started.html`);
  await settled(page);
  const shown = await page.locator('.vp-doc div[class*="language-"] pre').allTextContents();
  expect(shown.map((text) => text.trim())).toEqual(
    blocks(readPage('getting-started.md')).map(({ text }) => text.trim()),
  );
  const pictures = await page
    .locator('.vp-doc img')
    .evaluateAll((all: { naturalWidth: number; alt: string }[]) => all.filter((each) => each.naturalWidth > 600));
  expect(pictures).toHaveLength(2);
  expect(faults).toEqual([]);
});

test.each([
  { term: 'output_exists', result: 'Errors', lands: /errors\.html/ },
  { term: 'reparented', result: 'Which recording answers', lands: /replay\.html#which-recording-answers/ },
])('a search for $term leads to where it is explained', async ({ term, result, lands }) => {
  const { page, faults } = await newPage();
  await page.goto(`${served.origin}/getting-started.html`);
  await settled(page);
  await page.locator('.VPNavBarSearch button').first().click();
  await page.locator('#localsearch-input').fill(term);
  await page.locator('.VPLocalSearchBox .result', { hasText: result }).first().click();
  await page.waitForURL(lands);
  expect(await page.locator('.vp-doc').textContent()).toContain(term);
  await settled(page);
  expect(faults).toEqual([]);
});

test('every page opens without an error and asks no other host for anything', async () => {
  const { page, faults } = await newPage();
  await page.goto(`${served.origin}/concepts.html`);
  const links = await page
    .locator('.VPSidebar a')
    .evaluateAll((all: { href: string }[]) => all.map(({ href }) => href));
  expect(links.length).toBeGreaterThan(20);
  for (const link of links) {
    await page.goto(link);
    await settled(page);
  }
  expect(faults).toEqual([]);
});
