import { defineConfig } from 'tsup';

// What is measured, and what it is measured against, stays outside: it runs as it was published.
export default defineConfig({
  entry: { command: 'src/command.ts', child: 'src/child.ts', server: 'src/server.ts' },
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  splitting: true,
  clean: true,
  external: [/^[^.]/],
  dts: false,
});
