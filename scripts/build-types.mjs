// Builds the declarations of all packages (tsup.types.ts), and moves what two entries of one package share, which the
// build leaves in packages/, into that package's dist.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const packages = path.join(root, 'packages');
const isDeclaration = (name) => /\.d\.c?ts$/.test(name);

for (const name of readdirSync(packages)) {
  const dist = path.join(packages, name, 'dist');
  if (!existsSync(dist)) continue;
  for (const file of readdirSync(dist)) if (isDeclaration(file)) rmSync(path.join(dist, file));
}

const tsup = path.join(root, 'node_modules', 'tsup', 'dist', 'cli-default.js');
const built = spawnSync(process.execPath, [tsup, '--config', 'tsup.types.ts', '--silent'], {
  cwd: root,
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(1);

const shared = readdirSync(packages).filter(isDeclaration);
for (const name of readdirSync(packages)) {
  const dist = path.join(packages, name, 'dist');
  if (!existsSync(dist)) continue;
  let queue = readdirSync(dist).filter(isDeclaration);
  while (queue.length > 0) {
    const next = [];
    for (const file of queue) {
      const text = readFileSync(path.join(dist, file), 'utf8');
      const wanted = shared.filter((chunk) => text.includes(`/${importNameOf(chunk)}'`));
      for (const chunk of wanted) {
        if (existsSync(path.join(dist, chunk)) || !existsSync(path.join(packages, chunk))) continue;
        renameSync(path.join(packages, chunk), path.join(dist, chunk));
        next.push(chunk);
      }
      writeFileSync(path.join(dist, file), text.replaceAll("'../../", "'./"));
    }
    queue = next;
  }
}

const left = readdirSync(packages).filter(isDeclaration);
if (left.length > 0) {
  process.stderr.write(`Declarations that no package imports: ${left.join(', ')}\n`);
  process.exit(1);
}

/** `tool-x.d.ts` is imported as `tool-x.js`, `tool-x.d.cts` as `tool-x.cjs`. */
function importNameOf(file) {
  return file.replace(/\.d\.(c?)ts$/, '.$1js');
}
