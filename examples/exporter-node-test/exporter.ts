import {
  EXPORTER_CONTRACT,
  type Exporter,
  isData,
  type Judgement,
  judgementsOf,
  literal,
  type RegressionCase,
  renderHeader,
  replayArgument,
  stringLiteral,
} from '@stepfork/exporter-kit';

/** Tests for Node's own runner: `.test.mjs`, or `.test.ts` where Node runs TypeScript. */
const exporter: Exporter = {
  contract: EXPORTER_CONTRACT,
  name: 'node-test',
  fileSuffix: ({ typescript }) => (typescript ? '.test.ts' : '.test.mjs'),
  render: (regression) => [{ path: regression.fileName, text: testText(regression) }],
};

export default exporter;

/** What judges a replay as the matcher of this name does. */
const CHECKS: Readonly<Record<string, string>> = {
  toHaveReplayed: 'checkReplayed',
  toHaveOutput: 'checkOutput',
  toMatchOutput: 'checkMatch',
  toHaveThrown: 'checkThrown',
  toHaveTrajectory: 'checkTrajectory',
};

function testText(regression: RegressionCase): string {
  const { config, entrypoint, target, timeoutMs, title } = regression;
  const judgements = judgementsOf(regression);
  const [report, check] = target.typescript ? [': ReplayReport', ': Check'] : ['', ''];
  const imports = [
    ...(target.typescript ? ['type Check', 'type ReplayReport'] : []),
    ...judgements.map(({ matcher }) => CHECKS[matcher]),
    'replayCase',
  ];
  const agent = entrypoint.exportName === 'default' ? 'agent' : `{ ${entrypoint.exportName} as agent }`;
  return `${renderHeader(regression, './exporter.ts')}
import '@stepfork/exporter-kit/setup'; // must stay first
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ${imports.join(', ')} } from '@stepfork/exporter-kit/runtime';
import ${agent} from ${stringLiteral(entrypoint.specifier)};${config === undefined ? '' : `\nimport config from ${stringLiteral(config.specifier)};`}

function passes({ pass, message }${check}) {
  assert.ok(pass, message);
}

describe(${stringLiteral(title)}, () => {
  let run${report};

  before(async () => {
    run = await replayCase(${replayArgument(regression, 'agent', 4, ['from: import.meta.url'])});
  }, { timeout: ${timeoutMs} });

${judgements.map(testBlock).join('\n')}});
`;
}

function testBlock({ title, matcher, args }: Judgement): string {
  const given = isData(args) ? [literal(args.value, 4)] : args;
  return `  test(${stringLiteral(title)}, () => {
    passes(${CHECKS[matcher]}(${['run', ...given].join(', ')}));
  });
`;
}
