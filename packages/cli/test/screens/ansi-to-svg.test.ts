import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ansiToSvg } from '../../scripts/ansi-to-svg.mjs';

const ESC = String.fromCharCode(27);

describe('a screen as an image', () => {
  it('has a line of text for each line, in its colours', () => {
    const svg = ansiToSvg(
      'stepfork list',
      `${ESC}[31mfailed${ESC}[39m ${ESC}[1mbold${ESC}[22m\r\nplain ${ESC}[2mdim${ESC}[22m`,
      80,
    );
    expect(svg).toContain('<tspan fill="#ff7b72">failed</tspan><tspan> </tspan><tspan font-weight="bold">bold</tspan>');
    expect(svg).toContain('<tspan>plain </tspan><tspan opacity="0.6">dim</tspan>');
    expect(svg).toContain('<title>stepfork list</title>');
  });

  it('takes text for text', () => {
    expect(ansiToSvg('a & b', '</text><script>', 80)).toContain('&lt;/text&gt;&lt;script&gt;');
  });

  it.each(['list', 'inspect', 'replay', 'diff'])('stands in the documentation: %s', (name) => {
    const docs = new URL('../../../../docs/', import.meta.url);
    expect(readFileSync(new URL('cli.md', docs), 'utf8')).toContain(`](images/${name}.svg)`);
    const svg = readFileSync(new URL(`images/${name}.svg`, docs), 'utf8');
    expect(svg).toContain(`$</tspan><tspan> stepfork ${name}`);
    expect(svg).not.toContain(ESC);
  });
});
