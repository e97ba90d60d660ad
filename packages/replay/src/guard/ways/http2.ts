import type http2 from 'node:http2';
import process from 'node:process';
import { Duplex } from 'node:stream';
import { slot } from '@stepfork/recorder/boundary';
import { goOn, type Patches } from '../patches.js';
import { refusal } from '../refusal.js';
import { toHost } from '../way-out.js';
import { isRefused } from './socket.js';

const CLIENT = 1;

/** Sessions that were open before the run: their frames are written below what JavaScript sees. */
export function patchHttp2(patches: Patches): void {
  const { session, stream } = prototypes();
  for (const name of ['request', 'ping', 'settings', 'goaway']) {
    patches.wrap(session, name, (native, self, args) => {
      stopIn(name === 'request' ? 'request' : `http2 ${name}`, self as http2.Http2Session);
      return goOn(native, self, args);
    });
  }
  for (const name of ['write', 'end', 'sendTrailers']) {
    patches.wrap(stream, name, (native, self, args) => {
      const { session, pending } = self as http2.Http2Stream;
      // A stream that has not gone out yet was asked about as a request.
      if (session !== undefined && !pending) stopIn('write', session);
      return goOn(native, self, args);
    });
  }
}

function stopIn(verb: string, session: http2.Http2Session): void {
  if (session.destroyed || session.type !== CLIENT) return;
  const { destroyed, remoteAddress, remotePort, _host } = session.socket as typeof session.socket & { _host?: string };
  const host = _host ?? remoteAddress;
  // Over a stream of JavaScript's it is that stream which leads out, or does not.
  if (destroyed || isRefused(session.socket) || host === undefined) return;
  const refused = refusal(() => toHost(verb, host, remotePort));
  if (refused !== null) throw refused;
}

interface Prototypes {
  readonly session: object;
  readonly stream: object;
}

let found: Prototypes | null = null;

/** Node exports neither class; a session over a stream that leads nowhere has them. */
function prototypes(): Prototypes {
  found ??= slot().frames.exit(() => {
    const nowhere = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
    const { connect } = process.getBuiltinModule('node:http2');
    const session = connect('http://nowhere.invalid', { createConnection: () => nowhere });
    session.on('error', () => {});
    const stream = session.request({});
    stream.on('error', () => {});
    session.destroy();
    return { session: Object.getPrototypeOf(session), stream: Object.getPrototypeOf(stream) };
  });
  return found;
}
