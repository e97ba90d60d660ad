import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { floorsOf } from '../../src/architecture-table.js';
import { importGraph } from '../../src/import-graph.js';
import { drawImports } from '../../src/import-picture.js';
import { ROOT } from '../../src/workspace.js';

const graph = importGraph();
const floors = floorsOf(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'));

test('every public package stands on one floor', () => {
  expect(floors.flatMap(({ packages }) => packages).sort()).toEqual([...graph.keys()].sort());
});

test('a package imports what the table allows it, which lies on lower floors', () => {
  const wrong = floors.flatMap(({ packages, mayImport }) =>
    packages.flatMap((name) =>
      [...(graph.get(name) ?? [])].filter((imported) => !mayImport.includes(imported)).map((to) => `${name} → ${to}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test('what the table allows is made use of', () => {
  const unused = floors.flatMap(({ packages, mayImport }) =>
    mayImport
      .filter((allowed) => !packages.some((name) => graph.get(name)?.has(allowed)))
      .map((allowed) => `${packages.join(', ')} → ${allowed}`),
  );
  expect(unused).toEqual([]);
});

test('the picture is what is drawn from the sources: npm run draw:imports', () => {
  expect(readFileSync(join(ROOT, 'docs/images/imports.svg'), 'utf8')).toBe(drawImports(graph, floors));
});
