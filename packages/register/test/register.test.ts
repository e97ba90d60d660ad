import { GOOD_KEY, startOpenAiServer, type WireServer } from '@stepfork/adapter-conformance';
import type { Trace } from '@stepfork/trace-format';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, type Ended, type Project } from './support/project.js';

const CHAT = `{ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }`;
const POST = `{ method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY } }`;

const AGENTS: Readonly<Record<string, string>> = {
  fetch: `
    const url = process.env.OPENAI_BASE_URL + '/chat/completions';
    const response = await fetch(url, { ...${POST}, body: JSON.stringify(${CHAT}) });
    console.log((await response.json()).choices[0].message.content);`,
  openai: `
    import OpenAI from 'openai';
    const stream = await new OpenAI().chat.completions.create({ ...${CHAT}, stream: true });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    console.log(text);`,
  axios: `
    import axios from 'axios';
    const { headers } = ${POST};
    const { data } = await axios.post(process.env.OPENAI_BASE_URL + '/chat/completions', ${CHAT}, { headers });
    console.log(data.choices[0].message.content);`,
  got: `
    import got from 'got';
    const { headers } = ${POST};
    const answer = await got.post(process.env.OPENAI_BASE_URL + '/chat/completions', { json: ${CHAT}, headers }).json();
    console.log(answer.choices[0].message.content);`,
  http: `
    import { request } from 'node:http';
    const outgoing = request(process.env.OPENAI_BASE_URL + '/chat/completions', ${POST}, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => { text += piece; });
      response.on('end', () => console.log(JSON.parse(text).choices[0].message.content));
    });
    outgoing.end(JSON.stringify(${CHAT}));`,
};

let server: WireServer;
let project: Project;
beforeAll(async () => {
  server = await startOpenAiServer();
  project = await createProject(
    Object.fromEntries(Object.entries(AGENTS).map(([name, text]) => [`${name}-agent.js`, text])),
  );
}, 60_000);
afterAll(async () => {
  await server.close();
  project?.remove();
});

const run = (argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  project.run(['--import', '@stepfork/register', ...argv], {
    OPENAI_BASE_URL: `${server.origin}/v1`,
    OPENAI_API_KEY: GOOD_KEY,
    ...env,
  });
const takeTrace = (): Trace => {
  const [trace, ...others] = project.takeTraces();
  expect(others).toEqual([]);
  return trace as Trace;
};

describe('a process that is started with it', () => {
  test.each(Object.keys(AGENTS))('is recorded as one run, by whatever it asks: %s', async (name) => {
    const { exitCode, stdout, stderr } = await run([`${name}-agent.js`]);
    expect([exitCode, stdout.trim()]).toEqual([0, name === 'openai' ? 'grüße 👋 hi' : 'user said hi']);
    const trace = takeTrace();
    expect(stderr).toMatch(
      /^stepfork: recorded '\w+-agent', 1 call, in \.stepfork\/traces\/\w+-agent-run_\w+\.sftrace\n$/,
    );
    expect(trace).toMatchObject({ agent_name: `${name}-agent`, status: 'completed' });
    expect(trace.events.map(({ type }) => type)).toEqual(['run_start', 'llm_request', 'llm_response', 'run_end']);
    expect(trace.events[1]).toMatchObject({ provider: 'openai-compatible', model: 'gpt-4o-mini' });
    expect(JSON.stringify(trace)).not.toContain(GOOD_KEY);
  });

  test('has what it asks inside a tool under that tool, side by side as well', async () => {
    project.write(
      'nested.js',
      `
      import { get } from 'node:http';
      import { setTimeout } from 'node:timers/promises';
      import { traceTool } from '@stepfork/recorder';
      const asked = (path) => new Promise((resolve, reject) => {
        get(process.env.OPENAI_BASE_URL + path, (response) => response.resume().on('end', resolve)).on('error', reject);
      });
      const look = traceTool('look', async (city, ms) => { await setTimeout(ms); await asked('/' + city); return city; });
      await Promise.all([look('Rome', 30), look('Oslo', 1)]);
      await asked('/Lima');`,
    );
    expect((await run(['nested.js'])).exitCode).toBe(0);
    const { events } = takeTrace();
    const calls = events.filter((event) => event.type === 'tool_call');
    const nameOf = (id: string | null): string => {
      const parent = events.find((event) => event.id === id);
      return parent?.type === 'tool_call' ? JSON.stringify(parent.input) : String(parent?.type);
    };
    expect(
      calls.map(({ name, input, parent_id }) => [name, (input as { path?: string }).path, nameOf(parent_id)]),
    ).toEqual([
      ['look', undefined, 'run_start'],
      ['look', undefined, 'run_start'],
      ['http:127.0.0.1', '/v1/Oslo', '{"args":["Oslo",1]}'],
      ['http:127.0.0.1', '/v1/Rome', '{"args":["Rome",30]}'],
      ['http:127.0.0.1', '/v1/Lima', 'run_start'],
    ]);
  });

  test('passes each event of a stream on as it comes, and records it', async () => {
    project.write(
      'stream.js',
      `
      import { request } from 'node:http';
      const body = JSON.stringify({ ...${CHAT}, stream: true });
      const outgoing = request(process.env.OPENAI_BASE_URL + '/chat/completions', ${POST}, (response) => {
        let pieces = 0;
        response.on('data', () => { pieces++; });
        response.on('end', () => console.log(pieces > 3));
      });
      outgoing.end(body);`,
    );
    expect((await run(['stream.js'])).stdout).toBe('true\n');
    const [, request, response] = takeTrace().events;
    expect(request).toMatchObject({ type: 'llm_request', model: 'gpt-4o-mini' });
    expect(JSON.stringify(response)).toContain('grüße 👋 hi');
    expect(response).toMatchObject({ type: 'llm_response', prompt_tokens: 11, completion_tokens: 7 });
  });

  test.each([
    ['an exit code', 'process.exitCode = 3;', 3, 'ProcessExit'],
    ['process.exit', 'process.exit(4);', 4, 'ProcessExit'],
    ['an uncaught exception', 'throw new RangeError("no such city");', 1, 'RangeError'],
    ['a rejection that nobody handles', 'await Promise.reject(new RangeError("no such city"));', 1, 'RangeError'],
  ])('fails with %s', async (_what, end, code, type) => {
    project.write('failing.js', `${AGENTS.fetch}\n${end}`);
    const { exitCode, stderr } = await run(['failing.js']);
    expect(exitCode).toBe(code);
    expect(stderr).toContain("stepfork: recorded 'failing', 1 call");
    expect(takeTrace()).toMatchObject({ status: 'failed', failure: { type } });
  });

  test('fails by a signal, and ends by it', async () => {
    project.write('waiting.js', `${AGENTS.fetch}\nsetInterval(() => {}, 1000);\nprocess.kill(process.pid, 'SIGTERM');`);
    const { signal, stderr } = await run(['waiting.js']);
    expect(signal).toBe('SIGTERM');
    expect(stderr).toContain("stepfork: recorded 'waiting', 1 call");
    expect(takeTrace()).toMatchObject({ status: 'failed', failure: { type: 'ProcessSignal' } });
  });

  test.each([
    ['ends well', "process.once('SIGINT', () => clearInterval(waiting));", 0, 'completed', undefined],
    ['exits by a code', "process.on('SIGINT', () => process.exit(130));", 130, 'failed', 'ProcessExit'],
    [
      'goes on, and ends later',
      "process.on('SIGINT', () => setTimeout(() => clearInterval(waiting), 50));",
      0,
      'completed',
      undefined,
    ],
  ])('is what its own ending says where it listens to a signal, and %s', async (_what, listen, code, status, type) => {
    const kill = "setTimeout(() => process.kill(process.pid, 'SIGINT'), 20);";
    project.write('handling.js', `const waiting = setInterval(() => {}, 1000);\n${listen}\n${AGENTS.fetch}\n${kill}`);
    const { exitCode, signal, stderr } = await run(['handling.js']);
    expect([exitCode, signal]).toEqual([code, null]);
    expect(stderr).toContain("stepfork: recorded 'handling', 1 call");
    const { status: recorded, failure } = takeTrace();
    expect([recorded, failure?.type]).toEqual([status, type]);
  });

  test('fails by a signal that it sends itself once it has dealt with it', async () => {
    const listen = "process.once('SIGTERM', () => process.kill(process.pid, 'SIGTERM'));";
    project.write(
      'again.js',
      `${listen}\nsetInterval(() => {}, 1000);\n${AGENTS.fetch}\nprocess.kill(process.pid, 'SIGTERM');`,
    );
    const { signal } = await run(['again.js']);
    expect([signal, takeTrace().failure?.type]).toEqual(['SIGTERM', 'ProcessSignal']);
  });

  test('names the tools that a model asked for and no boundary saw, and what else was reached', async () => {
    project.write(
      'outside.js',
      `
      import { execFileSync, spawn } from 'node:child_process';
      import { connect } from 'node:net';
      import { once } from 'node:events';
      import OpenAI from 'openai';
      import { request } from 'undici';
      import { traceTool } from '@stepfork/recorder';
      const city = { type: 'object', properties: { city: { type: 'string' } } };
      const tools = [{ type: 'function', function: { name: 'weather', parameters: city } }];
      const messages = [{ role: 'user', content: 'weather in Rome?' }];
      for (const stream of [false, true]) {
        const answer = await new OpenAI().chat.completions.create({ model: 'gpt-4o-mini', messages, tools, stream });
        if (stream) for await (const chunk of answer) chunk;
      }
      await once(spawn(process.execPath, ['--version']), 'close');
      execFileSync(process.execPath, ['--version']);
      const { hostname, port } = new URL(process.env.OPENAI_BASE_URL);
      const socket = connect(port, 'localhost');
      await once(socket, 'connect');
      socket.end();
      await (await request(process.env.OPENAI_BASE_URL)).body.dump();
      await traceTool('inside', async () => { execFileSync('git', ['--version']); })();`,
    );
    const { exitCode, stderr } = await run(['outside.js']);
    expect(exitCode).toBe(0);
    const port = new URL(server.origin).port;
    expect(stderr.split('\n').slice(1, -1)).toEqual([
      'stepfork: these tools ran outside the recording, and would run for real on replay: weather. ' +
        "Give them to traceTool or to an adapter's instrument",
      `stepfork: the run reached these outside its recorded calls: spawn node, connect localhost:${port}, ` +
        `request 127.0.0.1:${port}. Do so in a function given to traceTool`,
    ]);
    project.takeTraces();
  });

  test('names a host that is asked past the recording, also where it is recorded otherwise', async () => {
    project.write(
      'both.js',
      `
      import { get } from 'node:http';
      import { once } from 'node:events';
      import { request } from 'undici';
      const [response] = await once(get(process.env.OPENAI_BASE_URL), 'response');
      await once(response.resume(), 'end');
      await (await request(process.env.OPENAI_BASE_URL)).body.dump();`,
    );
    const { stderr } = await run(['both.js']);
    expect(stderr).toContain(`reached these outside its recorded calls: request ${new URL(server.origin).host}.`);
    project.takeTraces();
  });

  test('has no value that it returns', async () => {
    project.write('plain.js', AGENTS.fetch ?? '');
    await run(['plain.js']);
    const { events } = takeTrace();
    expect(events.at(-1)).toMatchObject({ type: 'run_end', run_status: 'completed', output: null });
  });

  test('names no tool that was traced', async () => {
    project.write(
      'traced.js',
      `
      import OpenAI from 'openai';
      import { traceTool } from '@stepfork/recorder';
      const tools = [{ type: 'function', function: { name: 'weather', parameters: {} } }];
      const messages = [{ role: 'user', content: 'weather in Rome?' }];
      await new OpenAI().chat.completions.create({ model: 'gpt-4o-mini', messages, tools });
      traceTool('weather', () => 21)();`,
    );
    expect((await run(['traced.js'])).stderr.split('\n')).toHaveLength(2);
    project.takeTraces();
  });

  test('takes in the runs of agents that are instrumented already', async () => {
    project.write(
      'inner.js',
      `
      import { traceAgent, traceTool } from '@stepfork/recorder';
      const look = traceTool('look', () => 'sun');
      await traceAgent('inner', async () => look())();
      look();`,
    );
    await run(['inner.js']);
    const { agent_name, events } = takeTrace();
    expect([agent_name, events.filter(({ type }) => type === 'tool_call').length]).toEqual(['inner', 2]);
  });

  test('is one run, and those that it starts are none', async () => {
    project.write(
      'starts.js',
      `
      import { fork } from 'node:child_process';
      import { once } from 'node:events';
      import { Worker } from 'node:worker_threads';
      await once(fork('fetch-agent.js'), 'close');
      await once(new Worker('setTimeout(() => {}, 1)', { eval: true }), 'exit');`,
    );
    const { exitCode, stdout, stderr } = await run(['starts.js']);
    expect([exitCode, stdout.trim()]).toEqual([0, 'user said hi']);
    expect(stderr).toContain('outside its recorded calls: spawn node, start worker of its own code.');
    expect(takeTrace().agent_name).toBe('starts');
  });

  test('is written where it is told, under the name that it is told', async () => {
    const env = { STEPFORK_AGENT: 'mine', STEPFORK_OUTPUT: '.stepfork/traces/there.sftrace' };
    expect((await run(['fetch-agent.js'], env)).stderr).toBe(
      "stepfork: recorded 'mine', 1 call, in .stepfork/traces/there.sftrace\n",
    );
    const again = await run(['fetch-agent.js'], env);
    expect([again.exitCode, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toMatch(/^stepfork: [^\n]*there\.sftrace[^\n]*\n$/);
    expect((await run(['fetch-agent.js'], { ...env, STEPFORK_OVERWRITE: '1' })).exitCode).toBe(0);
    expect(takeTrace().agent_name).toBe('mine');
  });

  test('is not recorded with the recorder switched off', async () => {
    const { exitCode, stderr } = await run(['fetch-agent.js'], { STEPFORK_DISABLED: '1' });
    expect([exitCode, stderr]).toEqual([0, '']);
  });

  test('may be written in TypeScript', async () => {
    project.write('typed.ts', `const answer: string = 'yes';\n${AGENTS.fetch}\nconsole.log(answer satisfies string);`);
    const { exitCode, stdout, stderr } = await run(['--import', 'tsx', 'typed.ts']);
    expect([exitCode, stdout]).toEqual([0, 'user said hi\nyes\n']);
    expect(stderr).not.toContain('outside');
    expect(takeTrace()).toMatchObject({ agent_name: 'typed', status: 'completed' });
  });
});
