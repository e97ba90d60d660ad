import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { floorsOf } from './architecture-table.js';
import { importGraph } from './import-graph.js';
import { drawImports } from './import-picture.js';
import { ROOT } from './workspace.js';

// Draws the picture of docs/architecture.md: npm run draw:imports
const floors = floorsOf(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'));
writeFileSync(join(ROOT, 'docs/images/imports.svg'), drawImports(importGraph(), floors));
