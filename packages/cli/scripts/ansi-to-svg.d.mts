/** What a terminal of so many columns shows of a text with colours, as an SVG. */
export function ansiToSvg(title: string, output: string, columns: number): string;
