import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromTraceValue, type Trace, type TraceEvent, validateBundle } from '@stepfork/trace-format';
import { type AdapterUnderTest, demandEqual } from './contract.js';
import { credentialsIn, secretsIn } from './credentials.js';
import { type RoundTrip, type RoundTripOptions, roundTrip } from './round-trip.js';
import type { WireServer } from './wire/server.js';
import { GOOD_KEY } from './wire/trouble.js';

/** What a law has for itself: a server, and a folder for its bundle. */
export interface Trial<Client extends object> {
  readonly adapter: AdapterUnderTest<Client>;
  readonly server: WireServer;
  readonly bundle: string;
  /** A bare client of the server. */
  readonly connect: (options?: { readonly apiKey?: string; readonly below?: string }) => Client;
  /** An instrumented one. */
  readonly client: (options?: { readonly apiKey?: string; readonly below?: string }) => Client;
  readonly roundTrip: <T>(agent: () => Promise<T>, options?: RoundTripOptions) => Promise<RoundTrip<T>>;
}

/** Gives a law what it needs, and takes it away. */
export async function onTrial<Client extends object>(
  adapter: AdapterUnderTest<Client>,
  law: (trial: Trial<Client>) => Promise<void>,
): Promise<void> {
  const server = await adapter.serve();
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-adapter-'));
  const bundle = join(folder, 'run.sftrace');
  const connect: Trial<Client>['connect'] = ({ apiKey = GOOD_KEY, below = '' } = {}) =>
    adapter.connect({ baseURL: `${server.origin}${below}${adapter.root}`, apiKey });
  try {
    await law({
      adapter,
      server,
      bundle,
      connect,
      client: (options) => adapter.instrument(connect(options)),
      roundTrip: (agent, options) => roundTrip(bundle, server, agent, options),
    });
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

/** Events of one type, in order. */
export function eventsOf<T extends TraceEvent['type']>(
  { events }: Trace,
  type: T,
): readonly Extract<TraceEvent, { type: T }>[] {
  return events.filter((event): event is Extract<TraceEvent, { type: T }> => event.type === type);
}

/** That a replay came to the same without asking anybody, and that the recording is sound and tells no secret. */
export function demandSame<Client extends object, T>(
  { adapter, server, bundle }: Trial<Client>,
  { recorded, report, trace, requests }: RoundTrip<T>,
): void {
  const { verdict, divergence, notes, output, counts } = report;
  demandEqual('the replay', { verdict, divergence, notes }, { verdict: 'matched', divergence: null, notes: [] });
  demandEqual('the output of the replay', fromTraceValue(output), recorded);
  demandEqual('requests that the replay made', server.knocks(), 0);
  demandEqual('requests that the server had', server.requests.length, requests);
  demandEqual('bodies that the replay ran', counts.executed, 0);
  const asked = eventsOf(trace, 'llm_request');
  demandEqual('requests that were recorded', asked.length, requests);
  demandEqual(
    'their providers',
    asked.map(({ provider }) => provider),
    asked.map(() => adapter.provider),
  );
  demandEqual('what is wrong with the bundle', validateBundle(bundle, { verifyIntegrity: true }).issues, []);
  const secrets = [...server.requests.flatMap(credentialsIn), ...(adapter.secrets ?? [])];
  demandEqual('what proves who asked, in the bundle', secretsIn(bundle, secrets), []);
}
