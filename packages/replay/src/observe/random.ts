import crypto from 'node:crypto';
import { goOn, type Patches } from '../guard/patches.js';
import type { Tell } from './observe.js';

const CRYPTO = ['randomUUID', 'randomBytes', 'randomInt', 'randomFill', 'randomFillSync', 'getRandomValues'];
const WEB_CRYPTO = ['randomUUID', 'getRandomValues'];

export function patchRandom(patches: Patches, tell: Tell): void {
  const wrap = (owner: object, name: string, as: string): void =>
    patches.wrap(owner, name, function called(native, self, args) {
      tell('random', as, called);
      return goOn(native, self, args);
    });
  wrap(Math, 'random', 'Math.random');
  for (const name of CRYPTO) wrap(crypto, name, `crypto.${name}`);
  for (const name of WEB_CRYPTO) wrap(Object.getPrototypeOf(crypto.webcrypto) as object, name, `crypto.${name}`);
}
