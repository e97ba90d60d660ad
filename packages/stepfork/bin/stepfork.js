#!/usr/bin/env node
// The command lies beside the manifest of its package, which is the file that a package has to let others find.
await import(new URL('bin/stepfork.js', import.meta.resolve('@stepfork/cli/package.json')).href);
