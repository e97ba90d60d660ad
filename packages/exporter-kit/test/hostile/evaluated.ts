import vm from 'node:vm';
import ts from 'typescript';

/** What a test did when it was run. */
export interface Evaluated {
  /** Functions that it called, sorted. */
  readonly calls: readonly string[];
  readonly modules: string[];
  readonly title: unknown;
  /** What it left in the global object. */
  readonly globals: readonly string[];
  /** Whether a plain object has more than it should. */
  readonly polluted: unknown;
}

/**
 * Runs a rendered test in a realm of its own, in which there is nothing but the language and what the test imports,
 * all of it counted. Whatever else the text made happen would throw, or show.
 */
export function evaluated(text: string): Evaluated {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
  });
  const calls: string[] = [];
  const modules: string[] = [];
  let title: unknown;
  const counted = (name: string) => {
    return (...given: readonly unknown[]) => {
      calls.push(name);
      if (name === 'describe') title = given[0];
      const run = given.find((each) => typeof each === 'function');
      if (name !== 'replayCase' && typeof run === 'function') run();
      return name === 'expect' ? matchers : undefined;
    };
  };
  // A name that is none of the test's own is counted as well.
  const functions: object = new Proxy(
    { __esModule: true },
    { get: (_, name) => (name === '__esModule' ? true : counted(String(name))) },
  );
  const matchers: object = new Proxy({}, { get: (_, name) => counted(String(name)) });
  const required = (module: string): object => {
    modules.push(module);
    return functions;
  };
  const realm = vm.createContext(
    Object.fromEntries(['describe', 'beforeAll', 'test', 'expect'].map((name) => [name, counted(name)])),
  );
  const module = vm.runInContext(`(function (require, exports) {${outputText}\n})`, realm, { timeout: 5_000 });
  (module as (require: (name: string) => object, exports: object) => void)(required, {});
  const polluted: unknown = vm.runInContext("Object.keys({}).length > 0 || 'evil' in {} || [].length > 0", realm);
  return { calls: calls.sort(), modules, title, globals: Object.keys(realm).sort(), polluted };
}
