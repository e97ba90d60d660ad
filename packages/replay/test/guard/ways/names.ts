import dgram from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { World } from '../world.js';
import { given, host, named, to, udp, type WayOutCase } from './way-out-case.js';

// Taken before anything is patched, as an agent in CommonJS takes them.
const { lookup: takenLookup } = dns;

export const datagrams: readonly WayOutCase[] = [
  {
    name: 'a datagram',
    attempt: ({ ports, before }) => given((done) => before.datagrams.send('x', ports.udp, host, done)),
    what: to('send', udp),
  },
  {
    name: 'a part of a datagram',
    attempt: ({ ports, before }) => given((done) => before.datagrams.send('xyz', 1, 1, ports.udp, host, done)),
    what: to('send', udp),
  },
  {
    name: 'a datagram with nobody to tell',
    attempt: async ({ ports, before }) => {
      const back = once(before.datagrams, 'message');
      before.datagrams.send(Buffer.from('x'), ports.udp, host);
      await back;
    },
    what: to('send', udp),
  },
  {
    name: 'a connected datagram socket',
    attempt: ({ before }) => given((done) => before.connected.send('x', done)),
    what: to('send', udp),
  },
  {
    name: 'connecting a datagram socket',
    attempt: async ({ ports }) => {
      const socket = dgram.createSocket('udp4');
      try {
        await given((done) => socket.connect(ports.udp, host, done as () => void));
      } finally {
        socket.close();
      }
    },
    what: to('connect', udp),
    unseen: true,
  },
];

const resolver = ({ ports }: World): dns.Resolver => {
  const made = new dns.Resolver();
  made.setServers([`${host}:${ports.udp}`]);
  return made;
};
const promisedResolver = ({ ports }: World): dns.promises.Resolver => {
  const made = new dns.promises.Resolver();
  made.setServers([`${host}:${ports.udp}`]);
  return made;
};

export const names: readonly WayOutCase[] = [
  {
    name: 'dns.lookup',
    attempt: () => given((done) => dns.lookup('localhost', done)),
    what: named('lookup localhost'),
    unseen: true,
  },
  {
    name: 'dns.lookup that was taken before',
    attempt: () => given((done) => takenLookup('localhost', { all: true }, done)),
    what: named('lookup localhost'),
    unseen: true,
  },
  {
    name: 'promisified dns.lookup',
    attempt: () => promisify(dns.lookup)('localhost'),
    what: named('lookup localhost'),
    unseen: true,
  },
  {
    name: 'dns.promises.lookup',
    attempt: () => dns.promises.lookup('localhost'),
    what: named('lookup localhost'),
    unseen: true,
  },
  {
    name: 'dns.lookupService',
    attempt: () => given((done) => dns.lookupService(host, 22, done)),
    what: named(`reverse ${host}`),
    unseen: true,
  },
  {
    name: 'dns.promises.lookupService',
    attempt: () => dns.promises.lookupService(host, 22),
    what: named(`reverse ${host}`),
    unseen: true,
  },
  {
    name: 'dns.resolve',
    attempt: () => given((done) => dns.resolve('a.test', done)),
    what: named('resolve a.test'),
    fails: true,
  },
  {
    name: 'dns.resolve4 that was taken before',
    attempt: ({ taken }) => given((done) => taken.resolve4('b.test', done)),
    what: named('resolve b.test'),
    fails: true,
  },
  {
    name: 'dns.resolveTxt',
    attempt: () => given((done) => dns.resolveTxt('c.test', done)),
    what: named('resolve c.test'),
    fails: true,
  },
  {
    name: 'dns.reverse that was taken before',
    attempt: ({ taken }) => given((done) => taken.reverse('192.0.2.1', done)),
    what: named('reverse 192.0.2.1'),
    fails: true,
  },
  {
    name: 'dns.promises.resolveMx that was taken before',
    attempt: ({ taken }) => taken.resolveMx('d.test'),
    what: named('resolve d.test'),
    fails: true,
  },
  {
    name: 'a resolver of its own',
    attempt: (world) => given((done) => resolver(world).resolveSrv('e.test', done)),
    what: named('resolve e.test'),
    fails: true,
  },
  {
    name: 'a resolver of promises of its own',
    attempt: (world) => promisedResolver(world).resolve4('f.test'),
    what: named('resolve f.test'),
    fails: true,
  },
  {
    name: "a promise resolver's reverse",
    attempt: (world) => promisedResolver(world).reverse('192.0.2.2'),
    what: named('reverse 192.0.2.2'),
    fails: true,
  },
];
