import type { PlacesByCall } from '@stepfork/replay';
import type { Json } from '@stepfork/trace-format';
import type { CaseOptions, RegressionCase } from '../case.js';
import { assigned } from '../source/literal.js';
import { stringLiteral } from '../source/string-literal.js';

/**
 * What a test gives to `replayCase`, an object literal over several lines. Where the case names rules of the project's
 * configuration, that is to be imported as `config`.
 *
 * @param agent local name of the entrypoint
 * @param indent spaces before the line on which it starts
 * @param first further properties as source text, which stand first: `from: import.meta.url`
 */
export function replayArgument(
  regression: RegressionCase,
  agent: string,
  indent: number,
  first: readonly string[] = [],
): string {
  const { trace, input, options = {}, config } = regression;
  const inner = indent + 2;
  const properties = [
    ...first,
    assigned('trace:', trace.path, inner),
    ...(trace.digest === undefined ? [] : [assigned('digest:', trace.digest, inner)]),
    `entrypoint: ${agent}`,
    ...(input === undefined ? [] : [assigned('input:', input, inner)]),
    ...optionSources(options, inner),
    ...(config?.rules ?? []).map((rule) => `${rule}: config.${rule}`),
  ];
  return `{\n${properties.map((property) => `${' '.repeat(inner)}${property},\n`).join('')}${' '.repeat(indent)}}`;
}

/** In the order in which they are listed here. */
function optionSources(options: CaseOptions, indent: number): readonly string[] {
  const { mode, liveLlms, allowLiveTools, order, ignore, match, allow, now, skipSleeps, redact } = options;
  const data: Readonly<Record<string, Json | undefined>> = {
    mode,
    liveLlms: liveLlms && [...liveLlms],
    allowLiveTools: allowLiveTools && [...allowLiveTools],
    order,
    ignore: ignore && places(ignore),
    match: match && places(match),
    allow: allow && [...allow],
    skipSleeps,
    redact,
  };
  const sources = Object.entries(data).flatMap(([name, value]) =>
    value === undefined ? [] : [assigned(`${name}:`, value, indent)],
  );
  return now === undefined ? sources : [...sources, `now: ${clock(now)}`];
}

function clock(now: string): string {
  return now === 'real' ? stringLiteral(now) : `new Date(${stringLiteral(now)})`;
}

function places(byCall: PlacesByCall): Json {
  return Object.fromEntries(Object.entries(byCall).map(([call, pointers]) => [call, [...pointers]]));
}
