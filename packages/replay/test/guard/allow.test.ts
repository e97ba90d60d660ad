import childProcess from 'node:child_process';
import dns from 'node:dns';
import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import workerThreads from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllow } from '../../src/guard/allow-list.js';
import { toHost, toName, toProgram } from '../../src/guard/way-out.js';
import { failureOf, isBlocked, watchedRun } from './watched.js';
import { createWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const host = '127.0.0.1';

/** What an allowed run is stopped at. */
async function stopped(allow: readonly string[], attempt: () => unknown): Promise<readonly string[]> {
  const run = watchedRun({ allow });
  const failure = await run.inside(() => failureOf(attempt));
  run.end();
  if (run.blocked.length === 0) expect(failure).toBe(undefined);
  else expect(isBlocked(failure)).toBe(true);
  return run.blocked.map(({ what }) => what);
}

async function talk(goal: net.NetConnectOpts): Promise<void> {
  const socket = net.connect(goal);
  await once(socket, 'connect');
  socket.write('x');
  await once(socket, 'data');
  socket.end();
  await once(socket, 'close');
}

describe('an allowed host', () => {
  const byAddress = (): Promise<void> => talk({ port: world.ports.raw, host });
  const byName = (): Promise<void> => talk({ port: world.ports.raw, host: 'localhost', family: 4 });

  it('may be reached and talked to, by all that lead there', async () => {
    expect(await stopped([host], byAddress)).toEqual([]);
    expect(await stopped([host], () => fetch(world.url).then((response) => response.text()))).toEqual([]);
    expect(await stopped(['localhost'], byAddress)).toEqual([]);
    expect(await stopped(['LocalHost'], byName)).toEqual([]);
    expect(await stopped([host], () => world.before.pool.request({ path: '/', method: 'GET' }))).toEqual([]);
    const session = (): Promise<unknown> => {
      const stream = world.before.session.request({ ':path': '/' }).resume();
      return once(stream, 'end');
    };
    expect(await stopped([host], session)).toEqual([]);
    const h2 = http2.connect(`http://${host}:${world.ports.h2}`);
    h2.destroy();
  });

  it('is allowed at one port only where the entry names one, with its name looked up', async () => {
    const { raw, web } = world.ports;
    expect(await stopped([`localhost:${raw}`], byName)).toEqual([]);
    expect(await stopped([`localhost:${web}`], byName)).toEqual([`connect localhost:${raw}`]);
    expect(await stopped([`localhost:${web}`], () => dns.promises.lookup('localhost'))).toEqual([]);
    expect(await stopped([`other.test:${web}`], () => dns.promises.lookup('localhost'))).toEqual(['lookup localhost']);
  });

  it('does not stand for its name, nor for another host', async () => {
    expect(await stopped([host], byName)).toEqual([`connect localhost:${world.ports.raw}`]);
    expect(await stopped(['example.test'], byAddress)).toEqual([`connect ${host}:${world.ports.raw}`]);
  });

  it('may be a socket in the file system', async () => {
    expect(await stopped([world.path], () => talk({ path: world.path }))).toEqual([]);
    expect(await stopped(['/other'], () => talk({ path: world.path }))).toEqual([`connect ${world.path}`]);
  });

  it('compares as addresses do', () => {
    expect(parseAllow(['::1']).allows(toHost('connect', '[::1]', 80))).toBe(true);
    expect(parseAllow(['[::1]:80']).allows(toHost('connect', '::1', 80))).toBe(true);
    expect(parseAllow(['[::1]:80']).allows(toHost('connect', '::1', 81))).toBe(false);
    expect(parseAllow(['10.0.0.1']).allows(toHost('write', '::ffff:10.0.0.1', 80))).toBe(true);
    expect(parseAllow(['a.test:1']).allows(toName('lookup', 'A.test'))).toBe(true);
    expect(parseAllow(['a.test:1']).allows(toHost('connect', 'a.test', 2))).toBe(false);
  });
});

describe('an allowed command', () => {
  const run = (line: string) => () => childProcess.execSync(line, { stdio: 'ignore' });

  it('may be started by name or path, and written to', async () => {
    const { program } = world;
    expect(await stopped(['mark.sh'], () => once(childProcess.spawn(program), 'exit'))).toEqual([]);
    expect(await stopped([program], () => childProcess.spawnSync(program))).toEqual([]);
    const cat = async (): Promise<void> => {
      const child = childProcess.spawn('cat');
      child.stdin.end('x');
      await once(child.stdout, 'data');
      await once(child, 'close');
    };
    expect(await stopped(['cat'], cat)).toEqual([]);
  });

  it('may be a line of a shell only where that starts nothing else', async () => {
    const { program } = world;
    expect(await stopped(['mark.sh'], run(program))).toEqual([]);
    expect(await stopped(['mark.sh'], run(`${program} --flag "a b"`))).toEqual([]);
    for (const more of ['; true', ' && true', ' | cat', ' $(true)', ' `true`', '\ntrue', ' > /dev/null']) {
      expect(await stopped(['mark.sh'], run(`${program}${more}`))).toEqual(['spawn sh']);
    }
    expect(await stopped(['mark.sh'], run(`A=1 ${program}`))).toEqual(['spawn sh']);
    expect(await stopped(['sh'], run(`${program} && true`))).toEqual([]);
    const script = (): unknown => childProcess.execFileSync('sh', [world.script, 'mark.sh']);
    expect(await stopped(['mark.sh'], script)).toEqual(['spawn sh']);
  });

  it('may be the file of a worker', async () => {
    const start = (): Promise<unknown> => once(new workerThreads.Worker(world.script), 'exit');
    expect(await stopped(['mark.cjs'], start)).toEqual([]);
    expect(await stopped(['other.cjs'], start)).toEqual(['start worker mark.cjs']);
    expect(parseAllow(['psql']).allows(toProgram('process', 'spawn', '/usr/bin/psql'))).toBe(true);
    expect(parseAllow(['psql']).allows(toProgram('process', 'spawn', 'C:\\pg\\psql.exe'))).toBe(true);
  });
});

it('an allow list that is none is refused', () => {
  for (const wrong of ['localhost', [1], [''], null, { 0: 'a' }]) {
    expect(() => parseAllow(wrong)).toThrow(expect.objectContaining({ code: 'bad_option' }));
  }
});

it('the error names what was blocked and where, and what to do', async () => {
  const run = watchedRun();
  const failure = run.inside(() => {
    try {
      return childProcess.spawnSync('a\u001b[31mb');
    } catch (error) {
      return error;
    }
  });
  run.end();
  expect(failure).toMatchObject({
    name: 'StepforkError',
    code: 'blocked',
    details: { what: expect.stringMatching(/^spawn a/), callSite: expect.stringContaining('allow.test.ts') },
  });
  const { message } = failure as Error;
  expect(message).toMatch(
    /^the replay blocked 'spawn a.*b' at packages\/replay\/test\/guard\/allow\.test\.ts:\d+:\d+; /,
  );
  expect(message).not.toContain('\u001b');
});
