import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { GOOD_KEY, reaching, roundTrip, startBedrockServer, type WireServer } from '@stepfork/adapter-conformance';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { instrument } from '../../src/index.js';

let server: WireServer;
let folder: string;
beforeEach(async () => {
  server = await startBedrockServer();
  folder = mkdtempSync(join(tmpdir(), 'stepfork-frames-'));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const MODEL = 'eu.anthropic.claude-sonnet-5-v1:0';
const PATH = `/model/${encodeURIComponent(MODEL)}/invoke-with-response-stream`;
const WEATHER = { name: 'weather', input_schema: { type: 'object' } };

/** What a client for Bedrock sends, and how it proves who asks: another signature with each second. */
function signed(second: string) {
  const credential = `AKIAIOSFODNN7EXAMPLE/20260102/eu-central-1/bedrock/aws4_request`;
  return {
    'x-amz-date': `20260102T0304${second}Z`,
    'x-amz-security-token': GOOD_KEY,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=${second.repeat(32)}`,
  };
}

test.each([
  ['hi', { type: 'text', text: 'grüße 👋 user said hi' }],
  ['weather in Rome?', { type: 'tool_use', id: 'toolu_0', name: 'weather', input: { city: 'Rome' } }],
])('frames of AWS replay byte by byte, and the message that they make is told: %s', async (content, block) => {
  const fetch = reaching(server.origin);
  const baseURL = 'https://bedrock-runtime.eu-central-1.amazonaws.com';
  const anthropic = instrument(new Anthropic({ apiKey: null, authToken: null, baseURL, fetch }));
  const body = { anthropic_version: 'bedrock-2023-05-31', messages: [{ role: 'user', content }], tools: [WEATHER] };
  const agent = (second: string) => async () => {
    const response = await anthropic.post(PATH, { body, headers: signed(second), stream: true }).asResponse();
    const chunks: string[] = [];
    for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk).toString('base64'));
    return chunks;
  };
  const bundle = join(folder, 'run.sftrace');
  const { recorded, report, trace } = await roundTrip(bundle, server, agent('05'), { replayed: agent('06') });
  expect([report.verdict, report.output, server.knocks()]).toEqual(['matched', recorded, 0]);
  const request = trace.events.find((event) => event.type === 'llm_request');
  expect(request).toMatchObject({ provider: 'bedrock', model: MODEL });
  expect(request?.input).toEqual({ method: 'POST', path: PATH, body });
  const answer = trace.events.find((event) => event.type === 'llm_response');
  expect(answer).toMatchObject({ prompt_tokens: 11, completion_tokens: 7 });
  expect(answer?.output).toMatchObject({ returned: { role: 'assistant', content: expect.arrayContaining([block]) } });
});
