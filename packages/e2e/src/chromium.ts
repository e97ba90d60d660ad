import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where systems put it. */
const USUAL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];

/** A headless Chromium: the one of `CHROMIUM_PATH`, or the system's own. */
export function startChromium(): Promise<Browser> {
  const { CHROMIUM_PATH: chosen } = process.env;
  const executablePath = (chosen === undefined ? USUAL : [chosen]).find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      `There is no Chromium at ${chosen ?? USUAL.join(', ')}. Install it (apt-get install chromium), or name one by CHROMIUM_PATH.`,
    );
  }
  // Its sandbox needs rights that a container's user often lacks; it sees nothing but this repository's pages.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
