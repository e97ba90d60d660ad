import { defineConfig } from 'tsup';

// One program, its part that runs the user's code, and a chunk for what a command loads when it needs it. Siblings are bundled from
// their sources (the root tsconfig's paths), so this build needs none of theirs. jiti stays outside: it finds
// its own transformer by path.
export default defineConfig({
  entry: { stepfork: 'src/stepfork.ts', agent: 'src/agent.ts' },
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  tsconfig: '../../tsconfig.json',
  noExternal: [/^(?!jiti$|node:)/],
  external: ['jiti'],
  splitting: true,
  // What `@stepfork/cli/config` is was built before, for both kinds of modules.
  clean: ['!config.{js,cjs}', '!**/*.d.{ts,cts}'],
  dts: false,
  sourcemap: false,
  // Bundled CommonJS modules call `require` for what is built into Node.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  },
});
