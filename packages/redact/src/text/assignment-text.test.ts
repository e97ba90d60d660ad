import { describe, expect, it } from 'vitest';
import { createRedactor } from '../index.js';

const redact = (text: string, ruleset: 'default' | '0.1' = 'default') => createRedactor({ ruleset }).redact(text);

describe('assignments in running text', () => {
  it.each([
    ['login with password=hunter2-x now', 'login with password=[REDACTED] now'],
    ['env: password=swordfish', 'env: password=[REDACTED]'],
    ['PASSWORD: swordfish', 'PASSWORD: [REDACTED]'],
    ['use password: hunter2x to enter', 'use password: [REDACTED] to enter'],
    ['HOST=db\nDB_PASSWORD=a,b;c(d!)\nPORT=1', 'HOST=db\nDB_PASSWORD=[REDACTED]\nPORT=1'],
    ['HOST=db\\nDB_PASSWORD=swordfish\\nPORT=1', 'HOST=db\\nDB_PASSWORD=[REDACTED]\\nPORT=1'],
    ['export API_KEY="correct horse battery"', 'export API_KEY="[REDACTED]"'],
    ["token = 'swordfish'", "token = '[REDACTED]'"],
    ['run mysql --password=swordfish --host=db', 'run mysql --password=[REDACTED] --host=db'],
    ['run deploy --token swordfish --now', 'run deploy --token [REDACTED] --now'],
    ['run deploy --api-key swordfish', 'run deploy --api-key [REDACTED]'],
    ['(user=app,password=swordfish,host=db)', '(user=app,password=[REDACTED],host=db)'],
    ['sent (password=swordfish).', 'sent (password=[REDACTED]).'],
    ['{ host: 1, password: "swordfish" }', '{ host: 1, password: "[REDACTED]" }'],
    ['db.password=12345678', 'db.password=[REDACTED]'],
  ])('lose the value of a key: %j', (text, expected) => {
    expect(redact(text).value).toBe(expected);
    expect(redact(expected)).toEqual({ value: expected, findings: [] });
    expect(redact(text).findings).toEqual([{ path: '', reason: 'sensitive_key' }]);
    expect(redact(text, '0.1')).toEqual({ value: text, findings: [] });
  });

  it.each([
    'password=',
    'log in with password= and more',
    'log in with password=abc',
    'max_tokens=100',
    'max_tokens=100000 and next_page_token=aaaaaaaa',
    'token count: 1200',
    'Token: 2048',
    'the password is wrong',
    'forgot your password: click here',
    'pass the --token flag to it',
    'run it with --password --verbose',
    'const token = getToken(request);',
    'const token=getToken() && x',
    'interface A {\n  password: string;\n}',
    '  token: process.env.TOKEN,',
    'curl --token $TOKEN --password=$PASSWORD',
    'if (password == stored) secret::Key',
    'secret://vault/path',
  ])('keep %j', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });

  it('count names of the user as keys', () => {
    const redactor = createRedactor({ keys: ['ssn'] });
    expect(redactor.redact('ssn=078-05-1120 of A').value).toBe('ssn=[REDACTED] of A');
  });

  it('teach what surely is a secret, and no word of prose', () => {
    const redactor = createRedactor();
    redactor.redact('with password=correcthorse and --token something and\nPASSWORD: otherthing');
    expect(redactor.redact('correcthorse, something, otherthing').value).toBe('[REDACTED], something, otherthing');
  });
});
