import { fileURLToPath } from 'node:url';
import { types } from 'node:util';

/**
 * Loads a module of the user's and says what it exports. TypeScript goes through jiti, which is loaded only
 * then; everything else through Node itself.
 */
export async function importModule(url: URL): Promise<ReadonlyMap<string, unknown>> {
  return exportsOf(
    /\.(?:[cm]?ts|[jt]sx)$/.test(url.pathname) ? await importTypeScript(fileURLToPath(url)) : await import(url.href),
  );
}

/** What a configuration imports from this program is this program's, installed in the project or not. */
const CONFIG = fileURLToPath(new URL('./config.js', import.meta.url));
const ALIAS = { '@stepfork/cli/config': CONFIG, 'stepfork/config': CONFIG };

async function importTypeScript(file: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  // Path aliases come from the tsconfig.json above the file itself, wherever the command was started.
  const options = { fsCache: true, tsconfigPaths: true, jsx: /x$/.test(file), alias: ALIAS };
  try {
    return await createJiti(file, options).import(file);
  } catch (error) {
    if (!isAboutNull(error)) throw error;
    // It may be jiti's own view of a default that is null. Without that view, packages' defaults would not be theirs.
    return createJiti(file, { ...options, interopDefault: false }).import(file);
  }
}

function isAboutNull(error: unknown): boolean {
  return types.isNativeError(error) && error.message === "Cannot read properties of null (reading 'then')";
}

/** What was compiled from an ES module to CommonJS comes from `import()` as the default of a namespace: its own exports count. */
function compiledModule(loaded: Record<string, unknown>): Record<string, unknown> {
  const inner = loaded.default as Record<string, unknown> | null | undefined;
  return typeof inner === 'object' && inner !== null && inner.__esModule === true ? inner : loaded;
}

/** An ES module's exports; a CommonJS module is its own default export, as Node has it. */
function exportsOf(loaded: unknown): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  if ((typeof loaded !== 'object' && typeof loaded !== 'function') || loaded === null) {
    return found.set('default', loaded);
  }
  const module = compiledModule(loaded as Record<string, unknown>);
  const own = typeof loaded === 'function' ? [] : Object.keys(module);
  for (const name of own) if (name !== 'module.exports' && name !== '__esModule') found.set(name, module[name]);
  const isEsModule =
    Object.hasOwn(module, '__esModule') || Object.prototype.toString.call(module) === '[object Module]';
  if (!isEsModule && !found.has('default')) found.set('default', loaded);
  return found;
}
