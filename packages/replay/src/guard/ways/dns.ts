import dns from 'node:dns';
import net from 'node:net';
import process from 'node:process';
import { type Around, binding, goOn, type Patches } from '../patches.js';
import { refusal } from '../refusal.js';
import { toName } from '../way-out.js';

/** What Node hands to the resolver with a question: who is to be told. */
interface Question {
  readonly callback?: (error: Error) => void;
  readonly reject?: (error: Error) => void;
}

/** Functions of Node's resolver that ask somebody, of all forms (callback, promise, of a class, taken before). */
const QUESTIONS = /^(query[A-Z]|getHostByAddr$)/;

export function patchDns(patches: Patches): void {
  const { _handle: handle } = new dns.Resolver() as unknown as { readonly _handle?: object };
  const channel: object | null = handle === undefined ? null : Object.getPrototypeOf(handle);
  const questions = Object.getOwnPropertyNames(channel ?? {}).filter((name) => QUESTIONS.test(name));
  for (const name of questions.length === 0 ? ['dns.Resolver'] : questions) {
    patches.wrap(channel, name, ask(name === 'getHostByAddr' ? 'reverse' : 'resolve'));
  }
  const cares = binding('cares_wrap');
  patches.wrap(cares, 'getaddrinfo', ask('lookup'));
  patches.wrap(cares, 'getnameinfo', ask('reverse'));
  // These hold the binding's functions themselves.
  patches.wrap(dns.promises, 'lookup', promised('lookup'));
  patches.wrap(dns.promises, 'lookupService', promised('reverse'));
}

function ask(verb: string): Around {
  return (native, self, args) => {
    const [question, name] = args as [Question, unknown];
    const refused = refusal(() => toName(verb, String(name)));
    if (refused === null) return goOn(native, self, args);
    const tell = question.callback ?? question.reject;
    if (tell === undefined) throw refused;
    process.nextTick(tell, refused);
    return 0;
  };
}

function promised(verb: string): Around {
  return (native, self, args) => {
    const [name] = args;
    const isQuestion = typeof name === 'string' && name !== '' && (verb !== 'lookup' || net.isIP(name) === 0);
    const refused = isQuestion ? refusal(() => toName(verb, name)) : null;
    return refused === null ? goOn(native, self, args) : Promise.reject(refused);
  };
}
