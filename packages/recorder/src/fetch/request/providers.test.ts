import { expect, test } from 'vitest';
import { protocolOf, providerAt } from './providers.js';

test.each([
  ['https://api.openai.com/v1/chat/completions', 'openai'],
  ['https://eu.api.openai.com/v1/responses', 'openai'],
  ['https://demo.openai.azure.com/openai/deployments/gpt-4o/chat/completions', 'azure'],
  ['https://api.anthropic.com/v1/messages', 'anthropic'],
  ['https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent', 'google'],
  ['https://europe-west4-aiplatform.googleapis.com/v1/projects/p', 'google-vertex'],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse', 'bedrock'],
  ['https://openrouter.ai/api/v1/chat/completions', 'openrouter'],
  ['https://openrouter.ai/docs', null],
  ['https://api.openai.com.example.org/v1/chat/completions', null],
  ['https://example.org/', null],
])('%s is %s', (url, provider) => {
  expect(providerAt(new URL(url))).toBe(provider);
});

test.each([
  ['/v1/chat/completions', { model: 'm', messages: [] }, 'openai-compatible'],
  ['/openai/v1/responses', { model: 'm', input: '' }, 'openai-compatible'],
  ['/v1/messages', { model: 'm', messages: [], max_tokens: 1 }, 'anthropic-compatible'],
  ['/api/chat', { model: 'm', messages: [] }, 'ollama'],
  ['/v1/messages', { model: 'm', messages: [] }, null],
  ['/v1/chat/completions', { messages: [] }, null],
  ['/responses', { model: 'T-Ford', answers: [] }, null],
])('a body at %s speaks a protocol by what it carries: %o', (path, body, protocol) => {
  expect(protocolOf(new URL(path, 'http://127.0.0.1'), body)).toBe(protocol);
});
