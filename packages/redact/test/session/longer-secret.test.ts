import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/index.js';

const JWT =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

describe('a key of which a session has seen a part before', () => {
  it.each([
    ['a longer key with the same beginning', { t: 'sk-aaaaaaaa' }, 'sk-aaaaaaaa-bbbbbbbb-cccccccc', '[REDACTED]'],
    [
      'a preview in an error',
      { e: '401: sk-proj-Ab12cd...' },
      'key is sk-proj-Ab12cdEFGHIJKLMNOP3456QRST',
      'key is [REDACTED]',
    ],
    ['the beginning of a JWT', { token: JWT.slice(0, 12) }, `got ${JWT}`, 'got [REDACTED]'],
    [
      'a shorter bearer',
      { h: 'Bearer abcdefgh1' },
      'Authorization: Bearer abcdefgh1ijklMNOP',
      'Authorization: Bearer [REDACTED]',
    ],
    ['a password within a key', { password: 'hunter22' }, 'sk-hunter22abcdefghijk', '[REDACTED]'],
    ['a token within a key', { token: 'abcdefgh' }, 'npm_abcdefghABCDEFGHIJKLMNOPQRSTUVWXYZ01', '[REDACTED]'],
    [
      'two parts of one key',
      { token: 'abcdefgh', secret: 'ijklmnop' },
      'sk-abcdefgh-0123456789-ijklmnop-zz',
      '[REDACTED]',
    ],
  ])('is redacted whole: %s', (_what, before, text, expected) => {
    const redactor = createRedactor();
    redactor.redact(before);
    expect(redactor.redact({ text }).value).toEqual({ text: expected });
    // The whole key is known from now on, too.
    expect(redactor.redact({ again: `x ${text} y` }).value).toEqual({ again: `x ${expected} y` });
  });

  it('is redacted whole where it comes in chunks', () => {
    const redactor = createRedactor();
    redactor.redact({ t: 'sk-abcdefgh1' });
    const chunks = redactor.openChunks();
    const text = 'key sk-abcdefgh1234567890ZZ end';
    const released = [...text].flatMap((character) => chunks.add(character)).concat(chunks.end());
    // The first characters were out before they told of anything.
    expect(released.map(({ value }) => value).join('')).toMatch(/^key (sk-?)?\[REDACTED\] end$/);
  });
});
