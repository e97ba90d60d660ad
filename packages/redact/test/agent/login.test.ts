import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { replay } from '@stepfork/replay';
import { validateBundle } from '@stepfork/trace-format';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scanBundle, scrubBundle } from '../../src/bundle.js';
import type { RedactOptions } from '../../src/index.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redact-agent-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const TOKEN = 'q7Lr/2+vTz81=Xw~';

/** An agent that logs in, and then uses what it got. */
function agentWith(field: string, options: { readonly redact?: RedactOptions } = {}) {
  const logIn = traceTool('log_in', async (user: string) => ({ user, [field]: TOKEN }));
  const call = traceTool('call', async (request: { readonly [name: string]: unknown }) => ({
    seen: Object.keys(request),
  }));
  return (bundle: string) =>
    record('login-agent', { output: bundle, input: { user: 'ada' }, ...options }, async () => {
      const token = (await logIn('ada'))[field] as string;
      await call({ plain: { headers: { 'x-session': token } } });
      await call({
        longer: { authorization_line: `Authorization: Bearer ${token}, trace=1`, note: `use Bearer ${token}` },
      });
      await call({ base64: `Basic ${Buffer.from(`ada:${token}`).toString('base64')}` });
      await call({ url: `https://api.example/v1?session=${encodeURIComponent(token)}#${token}` });
      await call({ body: JSON.stringify({ sid: token, nested: JSON.stringify({ sid: token }) }) });
      return { status: 'ok', last: token };
    });
}

function bytesOf(bundle: string): string {
  return readdirSync(bundle, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const inner = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return [text.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6))];
  });
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...inner];
}

function expectGone(bundle: string): void {
  const bytes = bytesOf(bundle);
  expect(spellings(TOKEN).filter((spelling) => bytes.includes(spelling))).toEqual([]);
}

describe('an agent that logs in and uses its token in many ways', () => {
  it('replays matched, and the token is in no byte of the bundle', async () => {
    const bundle = join(folder, 'login.sftrace');
    const agent = agentWith('session_token');
    await agent(bundle);
    expectGone(bundle);
    expect(scanBundle(bundle)).toEqual([]);
    const report = await replay(bundle, () => agent(join(folder, 'again.sftrace')));
    expect(report.verdict).toBe('matched');
  });

  it('does so under a rule of its own, which the replay is given too', async () => {
    const redact: RedactOptions = { pointers: ['/ticket'] };
    const bundle = join(folder, 'ticket.sftrace');
    const agent = agentWith('ticket', { redact });
    await agent(bundle);
    expectGone(bundle);
    const report = await replay(bundle, () => agent(join(folder, 'again.sftrace')), { redact });
    expect(report.verdict).toBe('matched');
  });

  it('does so after its token, which no rule knew, was scrubbed', async () => {
    const bundle = join(folder, 'ticket.sftrace');
    const agent = agentWith('ticket');
    await agent(bundle);
    expect(bytesOf(bundle)).toContain(TOKEN);
    scrubBundle(bundle, { value: TOKEN, inPlace: true });
    expectGone(bundle);
    expect(validateBundle(bundle, { verifyIntegrity: true })).toMatchObject({ valid: true, integrity: 'verified' });
    const report = await replay(bundle, () => agent(join(folder, 'again.sftrace')));
    expect(report.verdict).toBe('matched');
  });
});

describe('an agent that is given its token', () => {
  it('replays matched with the true token as input', async () => {
    const bundle = join(folder, 'given.sftrace');
    const call = traceTool('call', async (request: { readonly url: string }) => request.url.length > 0);
    const agent = ({ api_key: key }: { readonly api_key: string }) =>
      record('given-agent', { output: bundle, overwrite: true, input: { api_key: key } }, () =>
        call({ url: `https://api.example/?k=${encodeURIComponent(key)}` }),
      );
    await agent({ api_key: TOKEN });
    expectGone(bundle);
    expect((await replay(bundle, agent)).verdict).toBe('matched');
    expect((await replay(bundle, agent, { input: { api_key: TOKEN } })).verdict).toBe('matched');
  });

  it('replays so under a pointer into the input', async () => {
    const redact: RedactOptions = { pointers: ['/ticket'] };
    const bundle = join(folder, 'pointer.sftrace');
    const call = traceTool('call', async (request: { readonly url: string }) => request.url.length > 0);
    const agent = ({ ticket }: { readonly ticket: string }) =>
      record('pointer-agent', { output: bundle, overwrite: true, input: { ticket }, redact }, () =>
        call({ url: `https://api.example/?k=${encodeURIComponent(ticket)}` }),
      );
    await agent({ ticket: TOKEN });
    expectGone(bundle);
    expect((await replay(bundle, agent, { redact, input: { ticket: TOKEN } })).verdict).toBe('matched');
  });
});
