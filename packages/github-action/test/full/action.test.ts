import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, type Job, type Project, runAction } from '../project.js';

/** Ends a block of a summary, starts a command of the job, and looks like Markdown and HTML. */
const HOSTILE =
  '</code></pre><img src=x onerror=alert(1)>\n\n# Owned\n::error::owned\n[x](javascript:y) \u202e@everyone';

const agent = (condition: string, text: string): string => `
import { traceAgent, traceTool } from '@stepfork/recorder';

const orderStatus = traceTool('order_status', async (orderId) => ({ orderId, status: 'shipped', note: ${JSON.stringify(HOSTILE)} }));

export const notifyAgent = traceAgent('notify-agent', async (orderId) => {
  const { status, note } = await orderStatus(orderId);
  return { should_notify: status === '${condition}', note };
});

export const hostileAgent = traceAgent(${JSON.stringify(HOSTILE)}, async (orderId) => {
  const { note } = await orderStatus(orderId);
  return { text: ${JSON.stringify(text)} + note };
});
`;

const RECORD = `
import { record } from '@stepfork/recorder';
import { hostileAgent, notifyAgent } from '../src/agent.mjs';

await record('notify-agent', { output: 'notify.sftrace', input: 'ORD-1001' }, (_, id) => notifyAgent(id));
await record(${JSON.stringify(HOSTILE)}, { output: 'hostile.sftrace', input: 'ORD-1001' }, (_, id) => hostileAgent(id));
`;

const right = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** What of a summary is read as Markdown: all but blocks of HTML, which end where they say. */
function markdownOf(summary: string): readonly string[] {
  return summary
    .replaceAll(/^<pre>[^<>]*<\/pre>$/gm, '')
    .split('\n\n')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^<(table|h3|p)>/.test(part));
}

/** Elements that a summary's HTML consists of. */
const elementsOf = (summary: string): ReadonlySet<string> => new Set(summary.match(/<\/?[^>]*>/g));
const OWN = ['code', 'h3', 'p', 'pre', 'table', 'td', 'th', 'tr'].flatMap((name) => [`<${name}>`, `</${name}>`]);

describe('in a project whose tests were exported for vitest', () => {
  let project: Project;

  beforeAll(async () => {
    project = createProject({
      'src/agent.mjs': agent('delivered', 'Hello. '),
      'record/record.mjs': RECORD,
      'notify.json': right({ should_notify: true, note: HOSTILE }),
      'hostile.json': right({ text: `Good day. ${HOSTILE}` }),
    });
    await project.node('record/record.mjs');
    for (const name of ['notify', 'hostile']) {
      const entrypoint = ['--entrypoint', `src/agent.mjs:${name}Agent`];
      const written = ['--expect-output', `${name}.json`, '--output', `tests/${name}.test.mjs`];
      await project.stepfork('export', `${name}.sftrace`, '--to', 'vitest', ...entrypoint, ...written);
    }
  });
  afterAll(() => project.remove());

  describe('with one agent that is as faulty as it was, and one that has changed', () => {
    let job: Job;

    beforeAll(async () => {
      project.write('src/agent.mjs', agent('delivered', 'Dear customer. '));
      job = await runAction(project);
    });

    test('the step fails, and each test is told where its file is shown', () => {
      expect(job.exit, job.output).toBe(1);
      expect(job.summary).toContain('## Stepfork: 2 of 2 exported tests failed\n');
      expect(job.output).toMatch(/^::error file=tests\/notify\.test\.mjs,title=Stepfork::.*should_notify/m);
    });

    test('the summary says of the one that it does what was recorded', () => {
      expect(job.summary).toContain('<h3><code>tests/notify.test.mjs</code></h3>');
      expect(job.summary).toContain('behavior mismatch at &#39;should_notify&#39;: expected true, got false');
      const recorded = '<code>tests/__traces__/notify.sftrace</code>';
      expect(job.summary).toContain(`<p>The agent still does what was recorded in ${recorded}.</p>`);
    });

    test('and of the other what it does differently', () => {
      const recorded = '<code>tests/__traces__/hostile.sftrace</code>';
      expect(job.summary).toContain(`<p>What the agent does now, compared with ${recorded}:</p>`);
      expect(job.summary).toMatch(
        /<pre>1 changed, 1 unchanged\n\nchanged step \d+ run\n {2}output\.text: .*Hello\. .* → .*Dear customer\. /,
      );
    });

    test('nothing that a bundle holds becomes Markdown, HTML or a command of the job', () => {
      const { summary, output } = job;
      expect(markdownOf(summary)).toEqual(['## Stepfork: 2 of 2 exported tests failed']);
      expect([...elementsOf(summary)].filter((element) => !OWN.includes(element))).toEqual([]);
      expect(summary).not.toContain('\u202e');
      const [, token = '', inside = '', after = ''] =
        /^::stop-commands::(\S+)\n([\s\S]*)\n::\1::\n([\s\S]*)$/.exec(output) ?? [];
      expect(token).not.toBe('');
      expect(inside).toContain('owned');
      expect(after.trimEnd().split('\n')).toEqual([
        expect.stringMatching(/^::error file=tests\/hostile\.test\.mjs,title=Stepfork::/),
        expect.stringMatching(/^::error file=tests\/notify\.test\.mjs,title=Stepfork::/),
      ]);
    });
  });

  test('corrected agents are green', async () => {
    project.write('src/agent.mjs', agent('shipped', 'Good day. '));
    const { exit, summary, output } = await runAction(project, { command: 'npx vitest run' });
    expect(exit, output).toBe(0);
    expect(markdownOf(summary)).toEqual(['## Stepfork: 2 exported tests passed']);
    expect(summary).toContain('<td><code>tests/hostile.test.mjs</code></td><td>✅ passed</td>');
    expect(output).not.toContain('::error file');
  });

  test('a bundle that does not hold what it says is red, and the tests of others than those named do not count', async () => {
    project.write('src/agent.mjs', agent('shipped', 'Dear customer. '));
    project.write('broken/notify.sftrace/manifest.json', '{}');
    const bundles = './tests/*/n?tify.sftrace\nbroken/*.sftrace\n';
    const { exit, summary, output } = await runAction(project, { bundles });
    expect(exit, output).toBe(1);
    expect(summary).toContain('## Stepfork: 1 exported test passed, 1 of 2 recordings not valid\n');
    expect(summary).toMatch(
      /<td><code>broken\/notify\.sftrace<\/code><\/td><td>❌ <code>.+<\/code><\/td><td>none<\/td>/,
    );
    expect(output).toMatch(/^::error file=broken\/notify\.sftrace,title=Stepfork::not a valid bundle: /m);
  });

  test('a command whose runner is not known is run as it is, and its last lines are shown', async () => {
    const command = 'echo "</pre> $0" && exit 7';
    const { exit, summary } = await runAction(project, { command });
    expect(exit).toBe(7);
    expect(summary).toContain('## Stepfork: the tests could not be run\n');
    expect(summary).toContain('<pre>&lt;/pre&gt; sh</pre>');
  });

  test('a pattern that names nothing is a fault, and says so', async () => {
    const { exit, summary } = await runAction(project, { bundles: 'traces/*.sftrace' });
    expect(exit).toBe(1);
    expect(summary).toContain('There is no bundle at traces/*.sftrace. Correct the input &#39;bundles&#39;.');
  });
});

describe('in a project whose tests were exported for jest', () => {
  let project: Project;

  beforeAll(async () => {
    project = createProject({
      'agent.cjs': `
        const { traceAgent, traceTool } = require('@stepfork/recorder');
        const double = traceTool('double', async (n) => n * 2);
        exports.sumAgent = traceAgent('sum-agent', async (n) => ({ sum: (await double(n)) + 1 }));
      `,
      'record.cjs': `
        const { record } = require('@stepfork/recorder');
        record('sum-agent', { output: 'sum.sftrace', input: 20 }, (_, n) => require('./agent.cjs').sumAgent(n));
      `,
      'sum.json': right({ sum: 42 }),
      'jest.config.cjs': "module.exports = { testMatch: ['**/*.test.cjs'] };\n",
    });
    await project.node('record.cjs');
    const entrypoint = ['--entrypoint', 'agent.cjs:sumAgent'];
    const written = ['--expect-output', 'sum.json', '--output', 'sum.test.cjs'];
    await project.stepfork('export', 'sum.sftrace', '--to', 'jest', ...entrypoint, ...written);
  });
  afterAll(() => project.remove());

  test('a red test is told with what jest says of it', async () => {
    const { exit, summary, output } = await runAction(project, { command: 'node node_modules/jest/bin/jest.js' });
    expect(exit, output).toBe(1);
    expect(summary).toContain('## Stepfork: 1 of 1 exported test failed\n');
    expect(summary).toContain('behavior mismatch at &#39;sum&#39;: expected 42, got 41');
    expect(summary).toContain('The agent still does what was recorded in');
  });
});

test('action.yml gives its inputs to the program by the environment, and to nothing else', () => {
  const action = readFileSync(new URL('../../action.yml', import.meta.url), 'utf8');
  const [head = '', steps = ''] = action.split('\nruns:\n');
  const inputs = [...head.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name);
  expect(inputs).toEqual(['bundles', 'command', 'working-directory']);
  for (const name of inputs) expect(steps.split(`\${{ inputs.${name} }}`)).toHaveLength(2);
  const program = /^ {6}run: (.*)$/m.exec(steps)?.[1];
  expect(program).toBe('node "$GITHUB_ACTION_PATH/src/main.mjs"');
  const defaults = readFileSync(new URL('../../src/main.mjs', import.meta.url), 'utf8');
  for (const value of ['**/__traces__/*.sftrace', 'npx vitest run']) {
    expect(head).toContain(value);
    expect(defaults).toContain(value);
  }
});
