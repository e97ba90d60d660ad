import { describe, expect, test } from 'vitest';
import { assertExporter, EXPORTER_CONTRACT } from './exporter.js';

const whole = { contract: EXPORTER_CONTRACT, name: 'mine', fileSuffix: () => '.test.ts', render: () => [] };

describe('assertExporter', () => {
  test('takes what fulfils the contract', () => {
    expect(() => assertExporter(whole, 'mine')).not.toThrow();
  });

  test('refuses another version of the contract, naming both', () => {
    expect(() => assertExporter({ ...whole, contract: 2 }, 'mine')).toThrow(
      expect.objectContaining({ code: 'exporter_contract', message: expect.stringContaining('contract 2') }),
    );
  });

  test.each([
    [undefined, 'it states no contract version'],
    [null, 'it states no contract version'],
    [() => whole, 'it states no contract version'],
    [{ ...whole, name: '' }, 'it has no name'],
    [{ ...whole, render: 'text' }, 'render is not a function'],
    [{ ...whole, fileSuffix: '.test.ts' }, 'fileSuffix is not a function'],
    [{ ...whole, options: { style: 'terse' } }, 'options is no Standard Schema'],
    [{ ...whole, options: null }, 'options is no Standard Schema'],
  ])('refuses %j, saying what is wrong', (value, fault) => {
    expect(() => assertExporter(value, 'evil\u001b[2J')).toThrow(
      expect.objectContaining({ code: 'exporter_invalid', message: expect.stringContaining(fault) }),
    );
    expect(() => assertExporter(value, 'evil\u001b[2J')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('\u001b') }),
    );
  });
});
