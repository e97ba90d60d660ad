import process from 'node:process';
import type { Patches } from '../guard/patches.js';
import type { Tell } from './observe.js';

/** The variables of the process are one object, which stands behind a proxy for as long as a run is observed. */
export function patchEnvironment(patches: Patches, tell: Tell): void {
  const shape = Object.getOwnPropertyDescriptor(process, 'env');
  if (shape?.configurable !== true) return;
  const native = process.env;
  const env = new Proxy(native, {
    get: function get(target, name) {
      if (typeof name === 'string') tell('environment', `process.env.${name}`, get);
      return Reflect.get(target, name);
    },
    has: function has(target, name) {
      if (typeof name === 'string') tell('environment', `process.env.${name}`, has);
      return Reflect.has(target, name);
    },
    ownKeys: function ownKeys(target) {
      tell('environment', 'process.env (all names)', ownKeys);
      return Reflect.ownKeys(target);
    },
    // The process's own object takes values that are set through itself only.
    set: (target, name, value) => Reflect.set(target, name, value),
  });
  Object.defineProperty(process, 'env', { ...shape, value: env, writable: true });
  patches.onUndo(() => {
    if (process.env === env) Object.defineProperty(process, 'env', shape);
  });
}
