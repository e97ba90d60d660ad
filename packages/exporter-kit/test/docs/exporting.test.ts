import { readFileSync } from 'node:fs';
import { assertExporter, defaultTestFile, literal, renderCase } from '@stepfork/exporter-kit';
import { describe, expect, test } from 'vitest';
import { checkOutput } from '../../src/runtime/check-output.js';
import { checkReplayed } from '../../src/runtime/check-replayed.js';
import exporter from '../full/spec-exporter.js';
import { NOTIFY_CASE } from '../regression-case.js';
import { diverged, returned } from '../report.js';

const page = readFileSync(new URL('../../../../docs/exporting.md', import.meta.url), 'utf8');
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

describe('docs/exporting.md', () => {
  test('shows an exporter that fulfils the contract', () => {
    const source = readFileSync(new URL('../full/spec-exporter.ts', import.meta.url), 'utf8');
    expect(page).toContain(`\`\`\`ts title="spec-exporter.ts"\n${source}\`\`\`\n`);
    assertExporter(exporter, './spec-exporter.ts');
    expect(defaultTestFile('failure.sftrace', exporter, NOTIFY_CASE.target)).toBe('failure.spec.ts');
  });

  test('shows how an exporter is tried', () => {
    const source = readFileSync(new URL('../full/spec-exporter.test.ts', import.meta.url), 'utf8');
    expect(page).toContain(`\`\`\`ts title="spec-exporter.test.ts"\n${source}\`\`\`\n`);
  });

  test('shows the test that export writes', () => {
    const text = renderCase(exporter, NOTIFY_CASE)[0]?.text.replace('--to ./spec-exporter.ts', '--to vitest');
    expect(page).toContain(`\`\`\`ts\n${text}\`\`\`\n`);
  });

  test('shows the messages of the matchers', () => {
    const differences = [
      { path: 'window_minutes', kind: 'changed' as const, recorded: 60, actual: 120 },
      { path: 'zone', kind: 'added' as const, recorded: null, actual: 'UTC' },
    ];
    const report = diverged(differences, {
      message:
        "call #1: tool 'search' was called with another input: at 'window_minutes' recorded 60, got 120, and 1 more",
    });
    expect(page).toContain(`\`\`\`text\n${checkReplayed(report).message}\n\`\`\`\n`);
    const { message } = checkOutput(returned({ should_notify: false }), { should_notify: true });
    expect(page).toContain(`\`\`\`text\n${message}\n\`\`\`\n`);
  });
});

test('the README shows what literal() writes', () => {
  expect(readme).toContain(`// ${literal({ should_notify: true, note: "it's late" })}\n`);
});
