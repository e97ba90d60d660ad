import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startChromium } from './chromium.js';
import { followGettingStarted } from './getting-started.js';
import { linkPackages } from './link-packages.js';
import type { Scenery } from './screenshots.js';
import { serveFolder } from './serve-folder.js';
import { buildSite, siteIn } from './site.js';
import { remove, temporaryFolder } from './temporary-folder.js';

/** Builds the site, follows getting-started.md in a project beside it, and lets `use` look at both with a browser. */
export async function withScenery<T>(use: (scenery: Scenery) => Promise<T>): Promise<T> {
  const folder = temporaryFolder('scenery');
  const project = join(folder, 'project');
  const browser = await startChromium();
  try {
    mkdirSync(project);
    linkPackages(project);
    await followGettingStarted(project);
    const { exit, output } = await buildSite(folder);
    if (exit !== 0) throw new Error(output);
    const served = await serveFolder(siteIn(folder));
    try {
      return await use({ browser, origin: served.origin, project });
    } finally {
      await served.close();
    }
  } finally {
    await browser.close();
    remove(folder);
  }
}
