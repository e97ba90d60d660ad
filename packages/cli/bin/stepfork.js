#!/usr/bin/env node
import module from 'node:module';

// Node 22 keeps compiled code between starts; Node 20 has no such call.
module.enableCompileCache?.();
await import('../dist/stepfork.js');
