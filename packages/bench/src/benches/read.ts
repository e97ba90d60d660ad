import type { Bench } from '../bench.js';
import { largeBundleTable } from '../read/large-bundle-table.js';
import { largeFolderTables } from '../read/large-folder-table.js';

export const reading: Bench = {
  name: 'read',
  question: 'How fast, and in how much memory, is a large bundle checked, and how fast is a large folder listed?',
  run: async (effort) => [await largeBundleTable(effort), ...(await largeFolderTables(effort))],
};
