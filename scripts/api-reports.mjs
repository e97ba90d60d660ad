// What every public entry exports: as a report in packages/<package>/etc/ that a review shows a change of, and with what
// TSDoc says of it as a page of the site, docs/api/<package>[-<entry>].md:
//   node scripts/api-reports.mjs           writes the pages anew
//   node scripts/api-reports.mjs --check   exits 1 where a page is not what it would be
// Reads the built declarations (npm run build).
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { apiPage } from './api-page.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const check = process.argv.includes('--check');
const temporary = mkdtempSync(path.join(tmpdir(), 'stepfork-api-'));

const REFERENCE = path.join(root, 'docs', 'api');

/** The entries of the public packages: the declarations of each, its report, and its page of the site. */
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
        specifier: entry === 'index' ? manifest.name : `${manifest.name}/${entry}`,
        report: path.join(home, 'etc', `${entry}.api.md`),
        page: path.join(REFERENCE, `${entry === 'index' ? name : `${name}-${entry}`}.md`),
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
      docModel: {
        enabled: true,
        apiJsonFilePath: path.join(temporary, path.basename(home), `${entry}.api.json`),
      },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      // What TSDoc should say of what is exported is another matter.
      messages: { compilerMessageReporting: silent, extractorMessageReporting: silent, tsdocMessageReporting: silent },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: path.join(home, 'package.json'),
  });
}

/** The files that an entry has, with what is in them. */
function filesOf(each, config, compilerState) {
  const folder = path.join(temporary, path.basename(each.home));
  mkdirSync(folder, { recursive: true });
  Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    // Everything that it has to say stands in the report.
    messageCallback: (message) => {
      message.handled = true;
    },
  });
  const model = JSON.parse(readFileSync(path.join(folder, `${each.entry}.api.json`), 'utf8'));
  const report = readFileSync(path.join(folder, `${each.entry}.api.md`), 'utf8');
  return [
    [each.report, report],
    [each.page, apiPage(each.specifier, model, report)],
  ];
}

/** The same file for whoever checked the repository out with other line ends. */
const current = (file) => (existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : null);

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
    for (const [file, text] of filesOf(each, configs[index], compilerState)) {
      if (text === current(file)) continue;
      stale.push(path.relative(root, file));
      if (check) continue;
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  const wanted = new Set(all.flatMap(({ report, page }) => [report, page]));
  for (const folder of new Set([REFERENCE, ...all.map(({ report }) => path.dirname(report))])) {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const file = path.join(folder, name);
      if (!name.endsWith('.md') || wanted.has(file)) continue;
      stale.push(path.relative(root, file));
      if (!check) rmSync(file);
    }
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

const list = stale.map((file) => `  ${file}\n`).join('');
if (stale.length === 0) process.stdout.write(`${all.length} API reports and their pages are up to date\n`);
else if (check) process.stderr.write(`Not what is exported now (node scripts/api-reports.mjs writes them):\n${list}`);
else process.stdout.write(`wrote\n${list}`);
process.exitCode = check && stale.length > 0 ? 1 : 0;
