// What a terminal shows of a text with colours, as an SVG of text: small, sharp, and readable in a diff.

const COLUMN = 8.4;
const ROW = 19;
const MARGIN = 16;
const BAR = 30;
const COLOURS = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 34: '#79c0ff', 35: '#d2a8ff', 36: '#76e3ea' };

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** `{ text, colour, bold, dim }` of one line; the style goes on into the next. */
function runsOf(line, style) {
  const runs = [];
  const [first, ...rest] = line.split('\u001b[');
  if (first !== '') runs.push({ text: first, ...style });
  for (const piece of rest) {
    const [, codes, text] = /^([\d;]*)m([\s\S]*)$/.exec(piece) ?? [null, '', ''];
    for (const code of codes.split(';').map(Number)) {
      if (code === 0) Object.assign(style, { colour: null, bold: false, dim: false });
      else if (code === 1) style.bold = true;
      else if (code === 2) style.dim = true;
      else if (code === 22) Object.assign(style, { bold: false, dim: false });
      else if (code === 39) style.colour = null;
      else if (COLOURS[code] !== undefined) style.colour = COLOURS[code];
    }
    if (text !== '') runs.push({ text, ...style });
  }
  return runs;
}

function spanOf({ text, colour, bold, dim }) {
  const style = [
    ...(colour === null ? [] : [`fill="${colour}"`]),
    ...(bold ? ['font-weight="bold"'] : []),
    ...(dim ? ['opacity="0.6"'] : []),
  ].join(' ');
  return `<tspan${style === '' ? '' : ` ${style}`}>${escaped(text)}</tspan>`;
}

/**
 * @param {string} title stands in the window's bar, and for who cannot see the image
 * @param {string} output lines with SGR sequences
 * @param {number} columns of the terminal
 */
export function ansiToSvg(title, output, columns) {
  const lines = output.replaceAll('\r', '').trimEnd().split('\n');
  const width = Math.ceil(columns * COLUMN + 2 * MARGIN);
  const height = lines.length * ROW + 2 * MARGIN + BAR;
  const style = { colour: null, bold: false, dim: false };
  const rows = lines.map((line, at) => {
    const y = BAR + MARGIN + (at + 0.75) * ROW;
    return `<text x="${MARGIN}" y="${y}" xml:space="preserve">${runsOf(line, style).map(spanOf).join('')}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<rect width="${width}" height="${BAR}" rx="8" fill="#161b22"/>
<circle cx="18" cy="15" r="5" fill="#ff5f57"/><circle cx="36" cy="15" r="5" fill="#febc2e"/><circle cx="54" cy="15" r="5" fill="#28c840"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">
<text x="${width / 2}" y="20" text-anchor="middle" font-size="12" opacity="0.7">${escaped(title)}</text>
${rows.join('\n')}
</g>
</svg>
`;
}
