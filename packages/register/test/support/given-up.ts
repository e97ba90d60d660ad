import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/** How a program gives a request up. */
export type Act = (parts: {
  readonly request: ClientRequest;
  readonly response: IncomingMessage | null;
  readonly controller: AbortController;
}) => void;

export const ACTS: Readonly<Record<string, Act>> = {
  'req.abort()': ({ request }) => request.abort(),
  'req.destroy()': ({ request }) => void request.destroy(),
  'req.destroy(err)': ({ request }) => void request.destroy(mine()),
  'res.destroy()': ({ request, response }) => void (response ?? request).destroy(),
  'res.destroy(err)': ({ request, response }) => void (response ?? request).destroy(mine()),
  'socket.destroy()': ({ request, response }) => void (response?.socket ?? request.socket ?? request).destroy(),
  'controller.abort()': ({ controller }) => controller.abort(),
};

/** Where it does so. */
export const MOMENTS = [
  'before its body',
  'in the same tick',
  'in the next tick',
  'at the socket',
  'while nothing comes',
  'at the head',
  'in the body',
  'while the body stands still',
  'at the end',
  'after the end',
] as const;

export type Moment = (typeof MOMENTS)[number];

function mine(): Error {
  return Object.assign(new Error('too slow'), { code: 'E_MINE' });
}

/** What the request of a moment asks for. */
const PATHS: Partial<Record<Moment, string>> = {
  'while nothing comes': '/silent',
  'at the head': '/head',
  'in the body': '/endless',
  'while the body stands still': '/endless',
};

/** All that a program is told of a request that it gives up, in order. */
export async function givenUp(
  origin: string,
  act: Act,
  moment: Moment,
  options: RequestOptions = {},
): Promise<readonly string[]> {
  const told: string[] = [];
  const controller = new AbortController();
  const request = http.request(`${origin}${PATHS[moment] ?? '/short'}`, { ...options, signal: controller.signal });
  let response: IncomingMessage | null = null;
  const now = (): void => {
    told.push('act');
    act({ request, response, controller });
    told.push('acted');
  };
  const at = (here: Moment): void => {
    if (moment === here) now();
  };
  const isClosed = new Promise<void>((resolve) => request.on('close', resolve));
  for (const event of ['abort', 'finish', 'close'] as const) request.on(event, () => told.push(event));
  request.on('error', (error) => told.push(`error ${described(error)}`));
  request.on('socket', () => at('at the socket'));
  request.on('response', (given) => {
    response = given;
    told.push(`response ${given.statusCode}`);
    for (const event of ['aborted', 'end', 'close'] as const) given.on(event, () => told.push(`response ${event}`));
    given.on('error', (error) => told.push(`response error ${described(error)}`));
    given.on('end', () => at('at the end'));
    given.on('data', (piece) => {
      told.push(`data ${piece}`);
      at('in the body');
    });
    at('at the head');
  });
  at('before its body');
  request.end();
  at('in the same tick');
  process.nextTick(() => at('in the next tick'));
  if (moment === 'while nothing comes' || moment === 'while the body stands still') {
    await setTimeout(60);
    now();
  }
  await isClosed;
  if (moment === 'after the end') now();
  // What comes after it is to be seen, too.
  await setTimeout(20);
  const { destroyed, aborted, writableFinished } = request;
  const { complete = null, destroyed: isGone = null } = (response ?? {}) as Partial<IncomingMessage>;
  return [...told, JSON.stringify({ destroyed, aborted, writableFinished, complete, isGone })];
}

function described(error: Error & { readonly code?: string }): string {
  return `${error.name} ${error.code} ${error.message}`;
}
