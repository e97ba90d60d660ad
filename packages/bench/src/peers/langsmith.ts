import { Client, RunTree } from 'langsmith';
import { traceable, withRunTree } from 'langsmith/traceable';

/** A server that takes everything at once: the client does all of its own work, and no network is in the figure. */
const accept: typeof fetch = async (input) =>
  String(input instanceof Request ? input.url : input).endsWith('/info')
    ? Response.json({ batch_ingest_config: { use_multipart_endpoint: true } })
    : new Response('{}', { status: 202 });

/** A `traceable` tool and the run around it. */
export function langSmith(): {
  readonly tool: <I, O>(name: string, body: (input: I) => Promise<O>) => (input: I) => Promise<O>;
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
} {
  const client = new Client({ apiKey: 'none', apiUrl: 'http://127.0.0.1:9', fetchImplementation: accept });
  return {
    tool: (name, body) => traceable(body, { name, run_type: 'tool', client, tracingEnabled: true }) as typeof body,
    run: async (work) => {
      const result = await withRunTree(new RunTree({ name: 'agent', client, tracingEnabled: true }), work);
      await client.awaitPendingTraceBatches();
      return result as Awaited<ReturnType<typeof work>>;
    },
  };
}
