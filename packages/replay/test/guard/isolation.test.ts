import childProcess, { ChildProcess } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import events, { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import process from 'node:process';
import { Readable, Writable } from 'node:stream';
import tls from 'node:tls';
import workerThreads, { Worker } from 'node:worker_threads';
import { slot } from '@stepfork/recorder/boundary';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { failureOf, isBlocked, watchedRun } from './watched.js';
import { answer, createWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const reach = async (): Promise<string> => (await fetch(world.url)).text();
const host = '127.0.0.1';

describe('two watched runs at once', () => {
  it('are told of their own attempts only, and the end of one leaves the other watched', async () => {
    const [a, b] = [watchedRun(), watchedRun({ allow: [host] })];
    const [inA, inB, outside] = await Promise.all([
      a.inside(() => failureOf(reach)),
      b.inside(() => failureOf(reach)),
      failureOf(reach),
    ]);
    expect([inA, inB, outside].map(isBlocked)).toEqual([true, false, false]);
    a.end();
    expect(isBlocked(await a.inside(() => failureOf(reach)))).toBe(false);
    expect(isBlocked(await b.inside(() => failureOf(() => dns.promises.lookup('localhost'))))).toBe(true);
    b.end();
    expect(isBlocked(await b.inside(() => failureOf(() => dns.promises.lookup('localhost'))))).toBe(false);
    expect([a.blocked.length, b.blocked.length]).toEqual([1, 1]);
  });

  it('may be one within the other: the inner one is asked', async () => {
    const [outer, inner] = [watchedRun(), watchedRun({ allow: [host] })];
    try {
      expect(await outer.inside(() => inner.inside(() => failureOf(reach)))).toBe(undefined);
      expect(outer.blocked).toEqual([]);
    } finally {
      inner.end();
      outer.end();
    }
  });
});

/** Everything that a watch may replace. */
function functionsOfNode(): readonly unknown[] {
  const channel = Object.getPrototypeOf((new dns.Resolver() as unknown as { _handle: object })._handle);
  const owners = [
    net.Socket.prototype,
    net.Server.prototype,
    tls.TLSSocket.prototype,
    http.Agent.prototype,
    dgram.Socket.prototype,
    ChildProcess.prototype,
    childProcess,
    workerThreads,
    events,
    dns,
    dns.promises,
    channel,
    globalThis,
  ];
  return owners.map((owner) => {
    const { ...all } = Object.getOwnPropertyDescriptors(owner);
    return Object.entries(all).map(([name, { value, writable, enumerable, configurable }]) => {
      return [name, typeof value === 'function' ? value : typeof value, writable, enumerable, configurable];
    });
  });
}

describe('after the last watched run', () => {
  it('every function of Node is the one that it was', () => {
    const before = functionsOfNode();
    const [a, b] = [watchedRun(), watchedRun()];
    expect(functionsOfNode()).not.toEqual(before);
    a.end();
    b.end();
    const after = functionsOfNode();
    expect(after).toEqual(before);
    const identical = (one: readonly unknown[], other: readonly unknown[]): boolean =>
      one.every((each, i) =>
        Array.isArray(each) ? identical(each, other[i] as unknown[]) : Object.is(each, other[i]),
      );
    expect(identical(before, after)).toBe(true);
  });

  it('what was imported by name is what it was', () => {
    const before = Worker;
    const run = watchedRun();
    expect(Worker).not.toBe(before);
    run.end();
    expect(Worker).toBe(before);
  });

  it('a patch that another made meanwhile stays', async () => {
    const native = dgram.Socket.prototype.send;
    const run = watchedRun();
    const ours = dgram.Socket.prototype.send;
    const theirs = vi.fn(function (this: dgram.Socket, ...args: unknown[]) {
      return Reflect.apply(ours, this, args);
    });
    dgram.Socket.prototype.send = theirs as unknown as typeof native;
    run.end();
    try {
      expect(dgram.Socket.prototype.send).toBe(theirs);
      await run.inside(() => new Promise((sent) => world.before.datagrams.send('x', world.ports.udp, host, sent)));
      expect(theirs).toHaveBeenCalled();
    } finally {
      dgram.Socket.prototype.send = native;
    }
  });

  it('connections that a run kept open go on', async () => {
    const run = watchedRun({ allow: [host] });
    const agent = new http.Agent({ keepAlive: true });
    const get = (): Promise<unknown> => answer(http.get({ port: world.ports.web, host, agent }));
    await run.inside(get);
    const socket = run.inside(() => net.connect(world.ports.raw, host));
    await once(socket, 'connect');
    run.end();
    const other = watchedRun();
    await run.inside(get);
    await run.inside(async () => {
      socket.write('x');
      await once(socket, 'data');
    });
    expect(isBlocked(await other.inside(() => failureOf(get)))).toBe(true);
    other.end();
    socket.destroy();
    agent.destroy();
    expect(run.blocked).toEqual([]);
  });
});

describe('a connection of others', () => {
  it('that a run tried to write to is not left corked, and what was waiting goes out', async () => {
    const run = watchedRun();
    const { socket } = world.before;
    socket.cork();
    socket.write('before');
    const back = once(socket, 'data');
    expect(() => run.inside(() => socket.write('x'))).toThrow(expect.objectContaining({ code: 'blocked' }));
    await back;
    expect(socket.writableCorked).toBe(0);
    run.end();
  });

  it('that a run tried to pipe into tells of it by its error event, once', async () => {
    const run = watchedRun();
    const socket = await world.openSocket({ port: world.ports.raw, host });
    const before = world.seen();
    const failed = once(socket, 'error');
    run.inside(() => Readable.from(['a', 'b', 'c']).pipe(socket));
    expect((await failed)[0]).toMatchObject({ code: 'blocked' });
    await world.settle();
    expect(world.seen() - before).toBe(2);
    expect(run.blocked).toEqual([{ what: `write ${host}:${world.ports.raw}`, callSite: null }]);
    run.end();
    const back = once(socket, 'data');
    socket.write('x');
    await back;
  });

  it('is left alone by what only looks at it', () => {
    const run = watchedRun();
    const { socket } = world.before;
    run.inside(() => {
      socket.pause();
      socket.resume();
      socket.setKeepAlive(true).setNoDelay(true).ref();
    });
    expect(run.blocked).toEqual([]);
    run.end();
  });
});

describe('a server that the run itself opens', () => {
  it('listens, and answers whoever comes', async () => {
    const run = watchedRun();
    const raw = net.createServer((socket) => socket.end('hello'));
    const web = http.createServer((_request, response) => response.end('hello'));
    await run.inside(async () => {
      for (const server of [raw, web]) await once(server.listen(0, host), 'listening');
    });
    const socket = net.connect((raw.address() as AddressInfo).port, host);
    expect(String((await once(socket, 'data'))[0])).toBe('hello');
    const response = await fetch(`http://${host}:${(web.address() as AddressInfo).port}`);
    expect(await response.text()).toBe('hello');
    expect(run.blocked).toEqual([]);
    run.end();
    web.closeAllConnections();
    for (const server of [raw, web]) server.close();
  });
});

describe('not ways out', () => {
  it('are the standard streams, of whatever kind', () => {
    const run = watchedRun();
    const written = run.inside(() => [process.stdout, process.stderr].map((stream) => stream.write('')));
    run.end();
    expect(written.every((each) => typeof each === 'boolean')).toBe(true);
    expect(run.blocked).toEqual([]);
  });

  it('are streams in memory, emitters, and an address that needs no looking up', async () => {
    const run = watchedRun();
    const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
    await run.inside(async () => {
      stream.write('x');
      expect(await dns.promises.lookup(host)).toEqual({ address: host, family: 4 });
      expect(events.listenerCount(new events.EventEmitter(), 'x')).toBe(0);
    });
    run.end();
    expect(run.blocked).toEqual([]);
  });
});

describe('a call whose body really runs', () => {
  it('reaches the world from its frame, and nothing else does', async () => {
    const run = watchedRun({ permits: (frame) => frame.call === 7 });
    const body = { handler: run.handler, call: 7, parent: null };
    try {
      expect(await slot().frames.run(body, () => failureOf(reach))).toBe(undefined);
      await slot().frames.run(body, async () => {
        const socket = net.connect(world.ports.raw, host);
        socket.write('x');
        await once(socket, 'data');
        socket.destroy();
        await once(childProcess.spawn(world.program), 'exit');
        childProcess.execSync(world.program);
        await once(new workerThreads.Worker(world.script), 'exit');
        await dns.promises.lookup('localhost');
      });
      expect(run.blocked).toEqual([]);
      expect(isBlocked(await run.inside(() => failureOf(reach)))).toBe(true);
    } finally {
      run.end();
    }
  });
});

describe('process.execve', () => {
  it('is stopped where Node has it', () => {
    const own = Object.getOwnPropertyDescriptor(process, 'execve');
    const execve = vi.fn();
    Object.defineProperty(process, 'execve', { value: execve, configurable: true, writable: true });
    const run = watchedRun();
    const { execve: patched } = process as unknown as { execve: (file: string, args: string[]) => void };
    expect(() => run.inside(() => patched('/bin/other', ['other']))).toThrow(/'execve other'/);
    run.end();
    expect(execve).not.toHaveBeenCalled();
    expect((process as unknown as { execve: unknown }).execve).toBe(execve);
    Reflect.deleteProperty(process, 'execve');
    if (own !== undefined) Object.defineProperty(process, 'execve', own);
  });
});
