import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/index.js';

const HEX = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
const AZURE = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f%3D';
const CLOUDFRONT = 'nitfHRCrtziwO2HwPfWw~yYDhUF5EwRunQA-j19DzZrvDh6hQ73lDx~-ar3UocvvRQVw6EkC';

const SIGNED: readonly (readonly [string, string])[] = [
  [`X-Amz-Date=20240930T123456Z&X-Amz-Signature=${HEX}&X-Amz-Expires=900`, HEX],
  [`X-Goog-Expires=900&X-Goog-Signature=${HEX}`, HEX],
  [`sv=2023-01-03&sr=b&sig=${AZURE}`, AZURE],
  [`Expires=1700000000&Signature=${CLOUDFRONT}&Key-Pair-Id=K2JCJMDEHXQW5F`, CLOUDFRONT],
  ['a=1&token=hunter2xyz', 'hunter2xyz'],
];
const bodies: readonly (readonly [string, (url: string) => string])[] = [
  ['prose', (url) => `Fetch it from ${url} within an hour.`],
  ['JSON', (url) => JSON.stringify({ files: [{ url, size: 12 }] })],
  ['JSON in JSON', (url) => JSON.stringify({ content: JSON.stringify({ url }) })],
  ['JSON whose signs are numbers', (url) => JSON.stringify({ url }).replaceAll('&', '\\u0026')],
  ['JSON with escaped slashes', (url) => JSON.stringify({ url }).replaceAll('/', '\\/')],
  ['HTML', (url) => `<a href="${url.replaceAll('&', '&amp;')}">it</a>`],
  ['a parameter of another', (url) => `https://x.example/go?next=${encodeURIComponent(url)}&page=2`],
];

describe.each(bodies)('a signed URL in %s', (where, write) => {
  it.each(SIGNED)('loses what proves who asks: %s', (query, secret) => {
    const url = `https://b.example/folder/file.pdf?${query}`;
    const text = write(url);
    const { value, findings } = createRedactor().redact(text);
    const inText = where.startsWith('a parameter') ? encodeURIComponent(secret) : secret;
    expect(text).toContain(inText);
    expect(value).toBe(text.replace(inText, '[REDACTED]'));
    expect(findings).toHaveLength(1);
  });

  it('that has none is left as it is', () => {
    const text = write('https://b.example/file?Signature=v1&sig=none&X-Amz-SignedHeaders=host&page=2');
    expect(createRedactor().redact(text)).toEqual({ value: text, findings: [] });
  });
});
