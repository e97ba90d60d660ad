import { publicSources } from './source-facts.js';
import { publicPackages } from './workspace.js';

/** Public packages, each with those of them that its sources import. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** The graph as the sources have it, types included. */
export function importGraph(): ImportGraph {
  const names = publicPackages().map(({ manifest }) => manifest.name);
  const sources = publicSources();
  const importedBy = (name: string): Set<string> => {
    const specifiers = sources
      .filter(({ packageName }) => packageName === name)
      .flatMap(({ imports }) => imports.map(({ specifier }) => specifier));
    const isOf = (other: string) => (specifier: string) => specifier === other || specifier.startsWith(`${other}/`);
    return new Set(names.filter((other) => other !== name && specifiers.some(isOf(other))));
  };
  return new Map(names.map((name) => [name, importedBy(name)]));
}

/** The same without what a longer way says as well. */
export function withoutShortcuts(graph: ImportGraph): ImportGraph {
  const reached = (name: string): Set<string> =>
    new Set([...(graph.get(name) ?? [])].flatMap((next) => [next, ...reached(next)]));
  return new Map(
    [...graph].map(([name, imports]) => {
      const byOthers = new Set([...imports].flatMap((next) => [...reached(next)]));
      return [name, new Set([...imports].filter((next) => !byOthers.has(next)))];
    }),
  );
}
