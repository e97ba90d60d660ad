import { isStepforkError } from '@stepfork/trace-format';
import { describe, expect, test } from 'vitest';
import { parseEntrypoint } from './entrypoint.js';

describe('parseEntrypoint', () => {
  test.each([
    ['agent.ts:runAgent', 'agent.ts', 'runAgent'],
    ['src/agent.ts:default', 'src/agent.ts', 'default'],
    ['C:\\agents\\notify.ts:run', 'C:\\agents\\notify.ts', 'run'],
    ['a:b:c.ts:$run_1', 'a:b:c.ts', '$run_1'],
    ['agent.ts:läuft', 'agent.ts', 'läuft'],
  ])('B253 %s is a file and an export', (text, file, exportName) => {
    expect(parseEntrypoint(text)).toEqual({ file, exportName });
  });

  test.each([
    '',
    'agent.ts',
    ':run',
    'agent.ts:',
    'agent.ts:1run',
    'agent.ts:a b',
    'C:\\agent.ts',
    'a.ts:x;y',
    'a.ts:a.b',
  ])('B253 %j is refused with the form it should have', (text) => {
    let caught: unknown;
    try {
      parseEntrypoint(text);
    } catch (error) {
      caught = error;
    }
    expect(isStepforkError(caught, 'bad_entrypoint')).toBe(true);
    expect(String(caught)).toContain('must read <file>:<export>');
    expect(String(caught)).not.toContain('\n');
  });
});
