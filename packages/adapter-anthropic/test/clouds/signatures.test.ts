import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { type AdapterUnderTest, adapterLaws, reaching, startBedrockServer } from '@stepfork/adapter-conformance';
import { describe, expect, test } from 'vitest';
import { anthropicUnderTest } from '../conformance/under-test.js';

interface Asked {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

type Next = (asked: Asked) => Promise<unknown>;

/**
 * Words and signs its requests as the client of `@anthropic-ai/bedrock-sdk` does, which looks for the keys of AWS where
 * it was given none.
 */
class SigningClient extends Anthropic {
  skipAuth = false;
  readonly token: () => Promise<string>;

  constructor(baseURL: string, token: () => Promise<string>) {
    super({
      ...{ apiKey: null, authToken: null, maxRetries: 0 },
      baseURL: 'https://bedrock-runtime.eu-central-1.amazonaws.com',
      fetch: reaching(baseURL),
    });
    this.token = token;
  }

  protected override validateHeaders(): void {}

  protected override backendMiddleware(): never {
    const sign = async (asked: Asked, next: Next): Promise<unknown> => next(await this.#adapted(asked));
    return [sign] as never;
  }

  async #adapted({ url, headers, body }: Asked): Promise<Asked> {
    const { model, ...asked } = JSON.parse(body) as { readonly model?: string };
    const worded = model === undefined ? url : url.replace('/v1/messages', `/model/${model}/invoke`);
    const request = { method: 'POST', url: worded, body: JSON.stringify(asked) };
    if (this.skipAuth) return { ...request, headers };
    const token = await this.token();
    const signed = new Headers(headers);
    signed.set(
      'authorization',
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20260102, Signature=0123456789abcdef',
    );
    signed.set('x-amz-date', '20260102T030405Z');
    signed.set('x-amz-security-token', token);
    return { ...request, headers: signed };
  }
}

const signingUnderTest: AdapterUnderTest<Anthropic> = {
  ...anthropicUnderTest({ Anthropic, betaZodTool, takesKeyFunction: true }),
  provider: 'bedrock',
  serve: startBedrockServer,
  connect: ({ baseURL, apiKey }) => new SigningClient(baseURL, async () => apiKey),
  connectBy: (baseURL, token) => new SigningClient(baseURL, token),
};

/** What needs neither a stream, which this client does not unpack, nor a copy. */
const LAWS = /^(asks nobody|replays what a wrong key|replays what is said|diverges at a changed prompt, at once)/;

describe('the adapter with a client that signs', () => {
  const laws = adapterLaws(signingUnderTest).filter(({ name }) => LAWS.test(name));

  test.each(laws)('$name', ({ check }) => check());

  test('keeps four laws', () => {
    expect(laws).toHaveLength(4);
  });
});
