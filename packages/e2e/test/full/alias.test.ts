import { expect, inject, test } from 'vitest';
import { must, writeFiles } from '../../src/consumer.js';
import { testFolder } from '../../src/test-folder.js';

test('npx stepfork is the command, in a folder that holds the package stepfork alone', async () => {
  const alias = inject('packed').find(({ manifest }) => manifest.name === 'stepfork');
  if (alias === undefined) throw new Error('the package stepfork was not packed');
  const cwd = testFolder('alias');
  const env = inject('npmEnvironment');
  await must(0, 'npm', ['install', alias.file], { cwd, env });

  const version = await must(0, 'npx', ['stepfork', '--version'], { cwd, env });
  expect(version.stdout).toBe(`stepfork ${alias.manifest.version}\n`);
  const fault = await must(2, 'npx', ['stepfork', 'validate', 'nowhere.sftrace'], { cwd, env });
  expect(fault.stderr).toContain('nowhere.sftrace: there is no such bundle');

  writeFiles(cwd, {
    'config.mjs': `import { defineConfig } from 'stepfork/config';\nconsole.log(defineConfig({ traces: 'runs' }).traces);\n`,
    'config.cjs': `console.log(require('stepfork/config').defineConfig({ traces: 'runs' }).traces);\n`,
  });
  for (const file of ['config.mjs', 'config.cjs']) {
    expect((await must(0, process.execPath, [file], { cwd })).stdout, file).toBe('runs\n');
  }
});
