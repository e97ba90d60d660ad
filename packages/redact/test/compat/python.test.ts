import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/index.js';

/** The six shapes as Python writes them. Reads JSON strings, one a line, and writes what is left of each. */
const REFERENCE = String.raw`
import json, re, sys
token = r'[A-Za-z0-9._~+/=-]{8,}'
rules = [
    (re.compile(r'(Authorization:\s*Bearer\s+)' + token, re.I), r'\1[REDACTED]'),
    (re.compile(r'(Bearer\s+)' + token, re.I), r'\1[REDACTED]'),
    (re.compile(r'\bsk-[A-Za-z0-9_-]{8,}\b'), '[REDACTED]'),
    (re.compile(r'\bghp_[A-Za-z0-9_]{8,}\b'), '[REDACTED]'),
    (re.compile(r'\bgho_[A-Za-z0-9_]{8,}\b'), '[REDACTED]'),
    (re.compile(r'\bgithub_pat_[A-Za-z0-9_]{8,}\b'), '[REDACTED]'),
]
for line in sys.stdin:
    text = json.loads(line)
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    print(json.dumps(text))
`;

const PIECES =
  'sk- ghp_ gho_ github_pat_ Bearer bearer Authorization: author\u0131zat\u0130on: \u00a0 \u0085 \ufeff \u001c - _ . = a b1 abcdefgh ABCDEFGHI \u00e9 \u0131 \u017f \u212a [REDACTED] \u65e5 \u{1d49c} / ~ +';
const pieces = [...PIECES.split(' '), ' ', '\n'];
const full = process.env.STEPFORK_FULL === '1';
const count = full ? 100_000 : 3_000;
const texts = fc
  .sample(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 }), {
    numRuns: count,
    seed: 36,
  })
  .map((parts) => parts.join(''));

function python(): readonly string[] | null {
  const input = texts.map((text) => JSON.stringify(text)).join('\n');
  const run = spawnSync('python3', ['-c', REFERENCE], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) return null;
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string);
}

describe('beside Python’s own regular expressions', () => {
  const expected = python();

  it('sees credentials in a fair part of the sample', () => {
    const { redact } = createRedactor({ ruleset: '0.1' });
    expect(texts.filter((text) => redact(text).findings.length > 0).length).toBeGreaterThan(count / 50);
  });

  it.each(expected === null ? [] : [expected])('B045 B047 B049 B050 B051 redacts the same', (...reference) => {
    const { redact } = createRedactor({ ruleset: '0.1' });
    const different = texts.filter((text, index) => redact(text).value !== reference[index]);
    expect(different).toEqual([]);
  });
});
