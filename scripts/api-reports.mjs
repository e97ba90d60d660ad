// What every public entry exports, as a page in packages/<package>/etc/ that a review shows a change of:
//   node scripts/api-reports.mjs           writes the pages anew
//   node scripts/api-reports.mjs --check   exits 1 where a page is not what it would be
// Reads the built declarations (npm run build).
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const check = process.argv.includes('--check');
const temporary = mkdtempSync(path.join(tmpdir(), 'stepfork-api-'));

/** The entries of the public packages: the declarations of each, and its page. */
function entries() {
  return readdirSync(path.join(root, 'packages')).flatMap((name) => {
    const home = path.join(root, 'packages', name);
    const manifest = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'));
    if (manifest.private) return [];
    return Object.keys(manifest.exports)
      .filter((subpath) => subpath !== './package.json')
      .map((subpath) => (subpath === '.' ? 'index' : subpath.slice(2)))
      .map((entry) => ({
        home,
        entry,
        declarations: path.join(home, 'dist', `${entry}.d.ts`),
        page: path.join(home, 'etc', `${entry}.api.md`),
      }));
  });
}

const silent = { default: { logLevel: 'none', addToApiReportFile: false } };

function configOf({ home, entry, declarations }) {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: home,
      mainEntryPointFilePath: declarations,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            module: 'NodeNext',
            moduleResolution: 'NodeNext',
            target: 'ES2022',
            lib: ['ES2023'],
            types: ['node'],
            strict: true,
            skipLibCheck: true,
          },
          files: [declarations],
        },
      },
      apiReport: {
        enabled: true,
        reportFolder: path.join(temporary, path.basename(home)),
        reportTempFolder: path.join(temporary, path.basename(home), 'temp'),
        reportFileName: `${entry}.api.md`,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      // A page says what is exported; what TSDoc should say of it is another matter.
      messages: { compilerMessageReporting: silent, extractorMessageReporting: silent, tsdocMessageReporting: silent },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: path.join(home, 'package.json'),
  });
}

function report(each, config, compilerState) {
  const folder = path.join(temporary, path.basename(each.home));
  mkdirSync(folder, { recursive: true });
  Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    // Everything that it has to say stands in the page.
    messageCallback: (message) => {
      message.handled = true;
    },
  });
  return readFileSync(path.join(folder, `${each.entry}.api.md`), 'utf8');
}

/** The same page for whoever checked the repository out with other line ends. */
const current = (page) => (existsSync(page) ? readFileSync(page, 'utf8').replaceAll('\r\n', '\n') : null);

const all = entries();
const unbuilt = all.find(({ declarations }) => !existsSync(declarations));
if (unbuilt !== undefined) {
  process.stderr.write(`${path.relative(root, unbuilt.declarations)} is not built: npm run build\n`);
  process.exit(2);
}

const stale = [];
try {
  const configs = all.map(configOf);
  // One program for all entries: most of the time of a report is that of its program.
  const compilerState = CompilerState.create(configs[0], {
    additionalEntryPoints: all.map((each) => each.declarations),
  });
  for (const [index, each] of all.entries()) {
    const text = report(each, configs[index], compilerState);
    if (text === current(each.page)) continue;
    stale.push(path.relative(root, each.page));
    if (check) continue;
    mkdirSync(path.dirname(each.page), { recursive: true });
    writeFileSync(each.page, text);
  }
  const pages = new Set(all.map(({ page }) => page));
  for (const home of new Set(all.map((each) => each.home))) {
    const folder = path.join(home, 'etc');
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      if (!name.endsWith('.api.md') || pages.has(path.join(folder, name))) continue;
      stale.push(path.relative(root, path.join(folder, name)));
      if (!check) rmSync(path.join(folder, name));
    }
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

const list = stale.map((page) => `  ${page}\n`).join('');
if (stale.length === 0) process.stdout.write(`${all.length} API reports are up to date\n`);
else if (check) process.stderr.write(`Not what is exported now (node scripts/api-reports.mjs writes them):\n${list}`);
else process.stdout.write(`wrote\n${list}`);
process.exitCode = check && stale.length > 0 ? 1 : 0;
