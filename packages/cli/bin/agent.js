import module from 'node:module';

// The process that `stepfork replay` and `stepfork export` run the user's code in. Started by them alone.
module.enableCompileCache?.();
await import('../dist/agent.js');
