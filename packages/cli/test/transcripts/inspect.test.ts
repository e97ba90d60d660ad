import { writeFileSync } from 'node:fs';
import { saveTrace } from '@stepfork/recorder';
import { createTrace } from '@stepfork/trace-format';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import type { Ended } from '../support/stepfork.js';

let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'failure.sftrace');
  await project.record('runAgent', 'failed.sftrace', { order_id: 'ORD-404' });
}, 120_000);
afterAll(() => project?.remove());

const inspect = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)('inspect', ...argv);

describe('stepfork inspect', () => {
  it('B259 B263 B268 shows a summary and a timeline, exit 0', async () => {
    const { exitCode, stdout, stderr } = await inspect('failure.sftrace');
    const steady = stdout
      .replace(/run_[0-9a-f]{32}/, 'run_…')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, '<time>')
      .replace(/\b\d+ ms\b/g, '0 ms');
    expect(steady).toBe(`failure.sftrace
Agent      notify-agent
Run        run_…
Status     completed
Created    <time>
Duration   0 ms
Events     6 (1 tool call, 1 LLM call)
Integrity  verified

 0  ▸ run {"order_id":"ORD-1"}
 1  → tool order_status {"order_id":"ORD-1"}
 2  ← returned in 0 ms {"order_id":"ORD-1","status":"shipped","carrier":"FedEx"}
 3  → llm acme/small-1 {"prompt":"Tell the customer: shipped"}
 4  ← returned in 0 ms {"text":"Your order has shipped."}
 5  ■ completed {"carrier":"FedEx","order_id":"ORD-1","should_notify":false,"text":"Your order has shipped."}
`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('shows every event in full with --events', async () => {
    const { stdout } = await inspect('failure.sftrace', '--events');
    expect(stdout.trimEnd().split('\n')).toHaveLength(6);
    expect(stdout).toMatch(
      /^2 {2}tool_result {3}order_status {2}ok {2}in 1 .* \{"name":"order_status","output":\{"order_id":"ORD-1","status":"shipped","carrier":"FedEx"\}\}$/m,
    );
  });

  it('gives up on a pattern that takes for ever, exit 2', async () => {
    await project.record('runAgent', 'long.sftrace', { order_id: `${'a'.repeat(60)}!` });
    const { exitCode, stdout, stderr } = await inspect('long.sftrace', '--grep', '(a+)+$');
    expect(stderr).toMatch(/^stepfork: '--grep' found no end of searching for '\(a\+\)\+\$': [^\n]+\n$/);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect((await inspect('long.sftrace', '--grep', 'a+!')).exitCode).toBe(0);
  });

  it('shows one step in full with --step', async () => {
    const { exitCode, stdout } = await inspect('failure.sftrace', '--step', '2');
    expect(stdout).toMatch(/^step 2: tool_result order_status\n/);
    expect(stdout).toMatch(/^parent +evt_[0-9a-f]{32} \(step 1, tool_call order_status\)$/m);
    expect(stdout).toContain('{\n  "order_id": "ORD-1",\n  "status": "shipped",\n  "carrier": "FedEx"\n}');
    expect(exitCode).toBe(0);
  });

  it('names the outcome of a call, and the start of the run once', async () => {
    const [answered, failed, start] = await Promise.all([
      inspect('failure.sftrace', '--step', '1'),
      inspect('failed.sftrace', '--step', '1'),
      inspect('failed.sftrace', '--step', '0'),
    ]);
    expect(answered.stdout).toMatch(/^outcome +step 2, tool_result: ok$/m);
    expect(failed.stdout).toMatch(/^outcome +step 2, tool_result: RangeError: no such order$/m);
    expect(failed.stdout).toMatch(/^parent +evt_[0-9a-f]{32} \(step 0, run_start\)$/m);
    expect(start.stdout).toMatch(/^step 0: run_start\n/);
    expect(start.stdout).not.toContain('outcome');
  });

  it('B268 has no step past the last one, exit 1', async () => {
    const { exitCode, stdout, stderr } = await inspect('failure.sftrace', '--step', '99');
    expect(stderr).toBe("stepfork: there is no step 99 in 'failure.sftrace'. Its steps are 0 to 5.\n");
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  });

  it('B261 B268 shows what failed with --errors-only, and nothing where nothing did', async () => {
    const { stdout } = await inspect('failed.sftrace', '--errors-only');
    expect(stdout).toMatch(/^2 {2}tool_result {2}order_status {2}error {2}in 1 /);
    expect(stdout).toMatch(/^3 {2}error {8}RangeError {4}error {2}in 2 /m);
    expect(stdout).not.toContain('run_start');
    expect(await inspect('failure.sftrace', '--errors-only')).toEqual({
      exitCode: 0,
      stdout: 'no errors\n',
      stderr: '',
    });
  });

  it('names the failure of a failed run', async () => {
    const { stdout } = await inspect('failed.sftrace');
    expect(stdout).toMatch(/^Status {5}failed\nFailure {4}RangeError: no such order \(step \d\)$/m);
    expect(stdout).toContain('\n 3  ✗ RangeError: no such order\n 4  ✗ RangeError: no such order\n');
  });

  it('B259 B260 B269 prints one document with --json', async () => {
    const { stdout } = await inspect('failure.sftrace', '--json');
    const document = JSON.parse(stdout) as { events: { label: string; type: string; details: object }[] };
    expect(document).toMatchObject({
      schema: 'stepfork.inspect/1',
      bundle: 'failure.sftrace',
      run: { agent_name: 'notify-agent', status: 'completed', totals: { events: 6, llm_calls: 1, tool_calls: 1 } },
      integrity: 'verified',
      summary: { calls: { tool: 1, llm: 1, failed: 0, open: 0 }, tokens: { total: 0 } },
    });
    expect(document.events.map(({ type, label }) => `${type} ${label}`)).toEqual([
      'run_start run_start',
      'tool_call order_status',
      'tool_result order_status',
      'llm_request small-1',
      'llm_response small-1',
      'run_end completed',
    ]);
    expect(document.events[1]?.details).toEqual({ input: { order_id: 'ORD-1' }, name: 'order_status' });
    const step = JSON.parse((await inspect('failure.sftrace', '--json', '--step', '1')).stdout) as { events: object[] };
    expect(step.events).toHaveLength(1);
  });

  it('B269 answers an unreadable bundle and a missing step with a document too', async () => {
    const unreadable = await inspect('nowhere.sftrace', '--json');
    expect(JSON.parse(unreadable.stdout)).toMatchObject({ error: 'missing_bundle', message: expect.any(String) });
    expect(unreadable.exitCode).toBe(2);
    const missing = await inspect('failure.sftrace', '--json', '--step', '99');
    expect(JSON.parse(missing.stdout)).toMatchObject({ error: 'missing_step' });
    expect(missing.exitCode).toBe(1);
  });

  it('B264 hides a secret that an old bundle still holds, and leaves the bundle alone', async () => {
    const file = project.path('failed.sftrace/events.jsonl');
    const old = project.read('failed.sftrace/events.jsonl').replaceAll('ORD-404', 'sk-abcdefgh12345678');
    writeFileSync(file, old);
    for (const view of [[], ['--events'], ['--step', '1'], ['--json']]) {
      const { stdout } = await inspect('failed.sftrace', ...view);
      expect(stdout).toContain('[REDACTED]');
      expect(stdout).not.toContain('sk-abcdefgh');
    }
    expect(project.read('failed.sftrace/events.jsonl')).toBe(old);
  });

  it('shows where a text stands with --grep, in any case unless it is given in upper case', async () => {
    const { exitCode, stdout } = await inspect('failure.sftrace', '--grep', 'fedex');
    expect(stdout).toBe(` 2  tool_result order_status  output.carrier: FedEx
 5  run_end completed  output.carrier: FedEx
`);
    expect(exitCode).toBe(0);
    expect((await inspect('failure.sftrace', '--grep', 'FEDEX')).stdout).toBe('no event matches\n');
    expect((await inspect('failure.sftrace', '--grep', '^ORD-\\d$')).stdout.split('\n')).toHaveLength(5);
    expect((await inspect('failure.sftrace', '--grep', 'should_notify')).stdout).toContain(
      'output.should_notify: false',
    );
    expect((await inspect('failure.sftrace', '--grep', 'llm_req')).stdout).toBe(' 3  llm_request small-1\n');
    expect((await inspect('failed.sftrace', '--errors-only', '--grep', 'rangeerror')).stdout).not.toContain(
      'run_start',
    );
    const document = JSON.parse((await inspect('failure.sftrace', '--grep', 'fedex', '--json')).stdout);
    expect((document as { events: object[] }).events).toHaveLength(2);
  });

  it('refuses a pattern that is none, exit 2', async () => {
    const { exitCode, stderr } = await inspect('failure.sftrace', '--grep', '(');
    expect(stderr).toMatch(/^stepfork: '--grep' needs a regular expression: [^\n]+ Put a backslash before/);
    expect(exitCode).toBe(2);
  });

  it('shows the text of a stream, whatever it was made of, and hides a secret that its chunks make together', async () => {
    const { record, traceTool } = await project.recorder();
    const tell = traceTool('tell', async function* () {
      for (const text of ['The key ', 'is sk-abcd', 'efgh12345678', ', goodbye']) yield { type: 'text-delta', text };
    });
    await record('teller', { output: project.path('stream.sftrace') }, async () => {
      for await (const _ of tell());
    });
    const { stdout } = await inspect('stream.sftrace');
    expect(stdout).toMatch(
      /^ 2 {2}← returned 4 chunks in \d+ ms(?: \[\d redacted\])? "The key is \[REDACTED\], goodbye"$/m,
    );
    expect(stdout).toMatch(/^Streams +1$/m);
    const [, , step] = JSON.parse((await inspect('stream.sftrace', '--json')).stdout).events as { stream: object }[];
    expect(step?.stream).toEqual({
      kind: 'async-generator',
      chunks: 4,
      end: 'complete',
      text: 'The key is [REDACTED], goodbye',
    });
    expect((await inspect('stream.sftrace', '--step', '2')).stdout).toContain(
      '\nstream         async-generator, 4 chunks, complete\n',
    );
  });

  it('B265 shows a trace without events', async () => {
    saveTrace(createTrace({ agentName: 'idle' }), project.path('empty.sftrace'));
    const { exitCode, stdout } = await inspect('empty.sftrace');
    expect(stdout).toContain('Events     0 (0 tool calls, 0 LLM calls)');
    expect(exitCode).toBe(0);
    expect((await inspect('empty.sftrace', '--step', '0')).stderr).toContain('It has no events.');
  });
});
