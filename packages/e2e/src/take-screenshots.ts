import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withScenery } from './scenery.js';
import { IMAGES, SCREENSHOTS } from './screenshots.js';

// Takes the pictures of the pages anew: npm run screenshots. Needs a build, Chromium, and `script` of util-linux.
await withScenery(async (scenery) => {
  for (const { file, take } of SCREENSHOTS) {
    const { png } = await take(scenery);
    writeFileSync(join(IMAGES, file), png);
    process.stdout.write(`docs/images/${file}: ${Math.ceil(png.length / 1000)} kB\n`);
  }
});
