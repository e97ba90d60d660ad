import { describe, expect, it } from 'vitest';
import { createRedactor } from '../index.js';
import { namesHeader, SECRET_ENDINGS } from './secret-names.js';

describe('a name that keys are judged by', () => {
  it.each(SECRET_ENDINGS.filter((ending) => !namesHeader(ending)))('is seen before a sign as well: %s', (ending) => {
    for (const sign of ['=', ': ', ' = ']) {
      expect(createRedactor().redact(`my-${ending}${sign}'tango-7-whisky'`).value).toBe(
        `my-${ending}${sign}'[REDACTED]'`,
      );
    }
  });

  it('is seen whatever stands between its words', () => {
    for (const name of ['password_hash', 'password-hash', 'PASSWORDHASH', 'passwordHash']) {
      expect(createRedactor().redact(`${name}=tango-7`).value).toBe(`${name}=[REDACTED]`);
    }
  });
});
