import { describe, expect, test } from 'vitest';
import { defaultTestFile } from './test-file.js';

const exporter = {
  fileSuffix: ({ typescript }: { readonly typescript: boolean }) => (typescript ? '.test.ts' : '.test.mjs'),
};
const target = { module: 'esm', typescript: true } as const;

describe('defaultTestFile', () => {
  test.each([
    ['failure.sftrace', 'failure.test.ts'],
    [`.stepfork/traces/notify-agent-run_${'0f'.repeat(16)}.sftrace`, 'notify-agent.test.ts'],
    ['a b//c  d.sftrace', 'c-d.test.ts'],
    ['naïve agent (v2).sftrace', 'naïve-agent-v2.test.ts'],
    ['$(rm -rf ~).sftrace', 'rm--rf.test.ts'],
    ['....sftrace', 'agent.test.ts'],
    ['\n.sftrace', 'agent.test.ts'],
    ['con.sftrace', 'agent-con.test.ts'],
    [`${'x'.repeat(300)}.sftrace`, `${'x'.repeat(80)}.test.ts`],
  ])('B256 %j gives %s', (trace, file) => {
    expect(defaultTestFile(trace, exporter, target)).toBe(file);
  });

  test('the exporter decides the suffix', () => {
    expect(defaultTestFile('failure.sftrace', exporter, { ...target, typescript: false })).toBe('failure.test.mjs');
  });
});
