import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { EXPORTER_CONTRACT, type Exporter } from './exporter.js';
import { exporterOptions, type StandardSchema } from './exporter-options.js';

const taking = <Options>(options?: StandardSchema<Options>): Exporter<Options> => ({
  contract: EXPORTER_CONTRACT,
  name: 'mine',
  fileSuffix: () => '.test.ts',
  render: () => [],
  ...(options === undefined ? {} : { options }),
});
const STYLE = z.strictObject({
  style: z.enum(['terse', 'plain']).default('plain'),
  at: z.object({ depth: z.number() }).optional(),
});

describe('options of an exporter', () => {
  test('are what its schema makes of those that were given', () => {
    expect(exporterOptions(taking(STYLE), {})).toEqual({ style: 'plain' });
    expect(exporterOptions(taking(STYLE), { style: 'terse' })).toEqual({ style: 'terse' });
    expect(exporterOptions(taking(), {})).toBeUndefined();
  });

  test.each([
    ['one that is not known', taking(STYLE), { colour: 'red' }, 'colour'],
    ['one of another type, by its place', taking(STYLE), { at: { depth: 'deep' } }, 'at.depth: '],
    [
      'one where it takes none',
      taking(),
      { 'sty\u001ble': 1 },
      "exporter 'mine' takes no options, but was given sty\\",
    ],
  ] as const)('are refused: %s', (_, exporter, given, said) => {
    expect(() => exporterOptions(exporter as Exporter, given)).toThrow(
      expect.objectContaining({ code: 'bad_exporter_option', message: expect.stringContaining(said) }),
    );
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
      'threw: Error: no',
    ],
    ['answers later', () => Promise.reject(new Error('late')), 'answers later'],
  ])('cannot be had of a schema that %s', (_, validate, said) => {
    const broken = taking({ '~standard': { version: 1, validate } });
    expect(() => exporterOptions(broken, {})).toThrow(
      expect.objectContaining({ code: 'exporter_invalid', message: expect.stringContaining(said) }),
    );
  });
});
