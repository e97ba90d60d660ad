import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Frame, slot } from '@stepfork/recorder/boundary';
import { tapEmits } from './tap-emits.js';

type Call = <T>(body: () => T) => T;

/**
 * Has Node's client work where no run is, and the program be told of it in its own. A replay takes what a run begins for
 * something that may yet move it, and an imitation moves nothing by itself.
 */
export function leaveRun(): { readonly run: Call; readonly outside: (make: () => ClientRequest) => ClientRequest } {
  const { frames } = slot();
  const frame = frames.getStore();
  const inside = (store: Frame | undefined): Call => {
    return (body) => frames.run(store as Frame, body);
  };
  const run = inside(frame);
  return {
    run,
    outside(make) {
      const request = inside(undefined)(make);
      tapEmits(request, (event, [first], tell) => {
        if (event === 'response') tapEmits(first as IncomingMessage, (_event, _args, tellOfIt) => run(tellOfIt));
        return run(tell);
      });
      for (const name of ['write', 'end'] as const) tellInside(request, name, run);
      return request;
    },
  };
}

function tellInside(request: ClientRequest, name: 'write' | 'end', run: Call): void {
  const method = request[name] as (...args: unknown[]) => unknown;
  const inside = (...args: unknown[]): unknown => Reflect.apply(method, request, args.map(told));
  const told = (arg: unknown): unknown => {
    if (typeof arg !== 'function') return arg;
    return (...args: unknown[]) => run(() => Reflect.apply(arg, request, args) as unknown);
  };
  Object.assign(request, { [name]: inside });
}
