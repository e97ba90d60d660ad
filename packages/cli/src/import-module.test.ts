import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importModule } from './import-module.js';

let folder = '';
const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
const load = (file: string): Promise<ReadonlyMap<string, unknown>> => importModule(pathToFileURL(join(folder, file)));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepfork-import-'));
  for (const name of ['function', 'compiled']) mkdirSync(join(folder, 'node_modules', name), { recursive: true });
  // As SDKs are published: a function that makes what its default is a class of.
  write(
    'node_modules/function/index.js',
    `exports = module.exports = (...args) => new exports.default(...args);
Object.defineProperty(exports, '__esModule', { value: true });
Object.defineProperty(exports, 'default', { enumerable: true, get: () => class Client { name = 'client'; } });
`,
  );
  write(
    'node_modules/compiled/index.js',
    `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = class Other { name = 'other'; };`,
  );
  for (const name of ['function', 'compiled']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: './index.js' }));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['function', 'compiled'])(
  'TypeScript has the default of a CommonJS package as its class: %s',
  async (name) => {
    write(`${name}.ts`, `import Client from '${name}';\nexport const said: string = new Client().name;\n`);
    expect((await load(`${name}.ts`)).get('said')).toBe(name === 'function' ? 'client' : 'other');
  },
);

test.each(['ts', 'mjs'])('a default may be null: .%s', async (extension) => {
  write(`null.${extension}`, 'export default null;\nexport const other = 1;\n');
  expect([...(await load(`null.${extension}`))]).toEqual(
    expect.arrayContaining([
      ['default', null],
      ['other', 1],
    ]),
  );
});

test('what a module throws while it is loaded is thrown', async () => {
  write('throws.ts', "throw new TypeError('no one is here' as string);\n");
  await expect(load('throws.ts')).rejects.toThrow('no one is here');
});
