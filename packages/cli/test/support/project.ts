import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT_PACKAGES } from './build.js';

export interface Project {
  readonly folder: string;
  readonly path: (name: string) => string;
  readonly write: (name: string, text: string) => void;
  readonly read: (name: string) => string;
  /** Installs a package of the repository as its one built file. */
  readonly install: (name: keyof typeof PROJECT_PACKAGES) => void;
  /** The recorder that is installed in it: the built file, which loads faster than the sources do. */
  readonly recorder: () => Promise<typeof import('@stepfork/recorder')>;
  readonly remove: () => void;
}

/** A project of a user's in a folder of its own, with the recorder installed and these files. */
export function createProject(files: Readonly<Record<string, string>> = {}): Project {
  const project = projectIn(newFolder());
  project.write('package.json', '{ "name": "agents", "type": "module" }\n');
  project.install('recorder');
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  return project;
}

/** The same files in another folder: what was loaded of one project was not loaded of the other. */
export function copyProject({ folder }: Project): Project {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  return projectIn(copy);
}

const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'stepfork cli ')));

function projectIn(folder: string): Project {
  const path = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  return {
    folder,
    path,
    write,
    read: (name) => readFileSync(path(name), 'utf8'),
    install: (name) => {
      const home = `node_modules/@stepfork/${name}`;
      write(`${home}/package.json`, `{ "name": "@stepfork/${name}", "type": "module", "exports": "./index.js" }\n`);
      cpSync(PROJECT_PACKAGES[name], path(`${home}/index.js`));
    },
    recorder: () => import(pathToFileURL(path('node_modules/@stepfork/recorder/index.js')).href),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
