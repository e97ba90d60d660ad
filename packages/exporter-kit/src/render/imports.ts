import type { RegressionCase } from '../case.js';
import { stringLiteral } from '../source/string-literal.js';
import type { Dialect } from './dialect.js';

/** Columns that biome and prettier fill by default. */
const WIDTH = 80;

/**
 * The import lines of a test, sorted by what they import as linters want it. Setup stands first: it has to be there
 * before the agent's modules load.
 *
 * @param agent local name of the entrypoint
 * @param readsFiles whether an expectation lies in a file beside the test
 */
export function renderImports(
  { target, entrypoint, config }: RegressionCase,
  dialect: Dialect,
  agent: string,
  readsFiles: boolean,
): string {
  const { load, loadNamed, loadDefault, renamed } =
    target.typescript || target.module === 'esm' ? ES_MODULE : COMMON_JS;
  const { specifier, exportName } = entrypoint;
  const runtime = [
    ...(readsFiles ? ['expectation'] : []),
    ...(target.typescript ? ['type ReplayReport'] : []),
    'replayCase',
  ];
  const modules = [
    { from: dialect.packageName, names: runtime },
    ...(target.globals ? [] : [{ from: dialect.framework, names: dialect.functions }]),
  ].sort((a, b) => (a.from < b.from ? -1 : 1));
  const agentLine =
    exportName === 'default'
      ? loadDefault(agent, specifier)
      : loadNamed([exportName === agent ? agent : renamed(exportName, agent)], specifier);
  const local = [
    { from: specifier, line: agentLine },
    ...(config === undefined ? [] : [{ from: config.specifier, line: loadDefault('config', config.specifier) }]),
  ];
  return [
    `${load(`${dialect.packageName}/setup`)} // must stay first`,
    ...modules.map(({ from, names }) => loadNamed(names, from)),
    ...local.sort((a, b) => (a.from < b.from ? -1 : 1)).map(({ line }) => line),
    '',
  ].join('\n');
}

/** How a kind of module loads another. */
interface ModuleSyntax {
  readonly load: (from: string) => string;
  readonly loadNamed: (names: readonly string[], from: string) => string;
  readonly loadDefault: (name: string, from: string) => string;
  readonly renamed: (exported: string, local: string) => string;
}

const ES_MODULE: ModuleSyntax = {
  load: (from) => `import ${stringLiteral(from)};`,
  loadNamed: (names, from) => named('import', names, `from ${stringLiteral(from)}`),
  loadDefault: (name, from) => `import ${name} from ${stringLiteral(from)};`,
  renamed: (exported, local) => `${exported} as ${local}`,
};

const COMMON_JS: ModuleSyntax = {
  load: (from) => `require(${stringLiteral(from)});`,
  loadNamed: (names, from) => named('const', names, `= require(${stringLiteral(from)})`),
  loadDefault: (name, from) => `const ${name} = require(${stringLiteral(from)});`,
  renamed: (exported, local) => `${exported}: ${local}`,
};

/** On one line where it fits, as a lone name does for formatters in any case; else a line for each name. */
function named(word: string, names: readonly string[], rest: string): string {
  const line = `${word} { ${names.join(', ')} } ${rest};`;
  if (line.length <= WIDTH || names.length < 2) return line;
  return `${word} {\n${names.map((name) => `  ${name},\n`).join('')}} ${rest};`;
}
