import http, { type Agent, type ClientRequest, type RequestOptions } from 'node:http';
import https from 'node:https';
import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import { Connection } from './connection.js';
import { leaveRun } from './leave-run.js';
import { isUrl, type Protocol } from './request-url.js';

type Connect = (options: object, onMade: (error: Error | null, socket?: Socket) => void) => Socket | undefined;

/** A request of Node's own, over a connection that leads nowhere. */
export interface ImitatedRequest {
  readonly request: ClientRequest;
  /** Null where Node has not asked for one. */
  readonly connection: Connection | null;
  /** Has its connection lead where it would have led. */
  readonly letThrough: () => void;
}

/** @param make makes a request by what `request` is given */
export function imitatedRequest(
  make: (args: readonly unknown[]) => ClientRequest,
  args: readonly unknown[],
  protocol: Protocol,
): ImitatedRequest {
  const at = typeof args[0] === 'string' || isUrl(args[0]) ? 1 : 0;
  const given = (typeof args[at] === 'object' ? args[at] : null) as RequestOptions | null;
  const after = args.slice(typeof args[at] === 'function' ? at : at + 1);
  const agent = agentOf(given ?? {}, protocol);
  let connection: Connection | null = null;
  let place: object = {};
  const { run, outside } = leaveRun();
  const imitation = Object.assign(likenessOf(agent, protocol), {
    createConnection(options: object) {
      place = options;
      connection = run(() => new Connection(protocol === 'https:', run));
      return connection;
    },
    keepSocketAlive(socket: Socket) {
      socket.setTimeout(0);
      return true;
    },
  });
  const options = isAgent(given?.agent) ? { ...given, agent: imitation } : given;
  const request = outside(() => make([...args.slice(0, at), options, ...after]));
  return {
    request,
    get connection() {
      return connection;
    },
    letThrough() {
      const lead = (real: Socket | undefined): void => {
        if (real !== undefined && !connection?.destroyed) connection?.leadTo(real);
      };
      const connect = connectBy(agent, given, protocol);
      let isMade = false;
      const made = connect({ ...place, ...optionsOf(agent) }, (error, real) => {
        if (error) connection?.destroy(error);
        else if (!isMade) lead(real);
      });
      isMade = made !== undefined;
      lead(made);
    },
  };
}

/** Whether Node takes it for one, or for a wish for one of its own. */
function isAgent(agent: unknown): boolean {
  if (agent === undefined || agent === null || agent === false) return true;
  return typeof (agent as Partial<Record<'addRequest', unknown>>).addRequest === 'function';
}

/** What Node would have the request made by; null for none. */
function agentOf({ agent, createConnection }: RequestOptions, protocol: Protocol): Agent | null {
  if (typeof agent === 'object' && agent !== null) return agent;
  if (agent !== false && typeof createConnection === 'function') return null;
  const { Agent, globalAgent } = protocol === 'https:' ? https : http;
  return agent === false ? new Agent() : globalAgent;
}

/** An agent for one request, of which Node asks what it asks of the given one. */
function likenessOf(agent: Agent | null, protocol: Protocol): Agent {
  const { Agent } = protocol === 'https:' ? https : http;
  const likeness = new Agent({ keepAlive: isKeepingAlive(agent) });
  for (const name of ['protocol', 'defaultPort', 'maxSockets'] as const) {
    const value: unknown = agent === null ? undefined : Reflect.get(agent, name);
    if (value !== undefined) Reflect.set(likeness, name, value);
  }
  return likeness;
}

/** Those that an agent was made with. */
function optionsOf(agent: Agent | null): object {
  return agent === null ? {} : ((Reflect.get(agent, 'options') ?? {}) as object);
}

function isKeepingAlive(agent: Agent | null): boolean {
  return agent !== null && Reflect.get(agent, 'keepAlive') === true;
}

function connectBy(agent: Agent | null, given: RequestOptions | null, protocol: Protocol): Connect {
  const by = (agent ?? given ?? {}) as { readonly createConnection?: Connect };
  if (typeof by.createConnection === 'function') return by.createConnection.bind(by);
  const { connect } = protocol === 'https:' ? tls : net;
  return (options) => (connect as (to: object) => Socket)(options);
}
