import type { SourcedRule } from './shapes.js';

/** Personal data, off unless asked for by name. */
export const PII_RULES: Readonly<Record<'email' | 'phone', SourcedRule>> = {
  email: {
    id: 'email',
    reason: 'personal_data',
    pattern:
      /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}(?![A-Za-z0-9-])/dgu,
    source: 'https://www.rfc-editor.org/rfc/rfc5321#section-4.1.2',
  },
  phone: {
    id: 'phone',
    reason: 'personal_data',
    pattern: /(?<![\p{L}\p{N}_+.-])\+[1-9](?:[ .()-]{0,2}\d){7,14}(?!\d)/dgu,
    source: 'https://www.itu.int/rec/T-REC-E.164',
  },
};
