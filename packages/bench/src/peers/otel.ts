import { closeSync, openSync, writeSync } from 'node:fs';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';

/** Spans as JSON lines in a file, the way a collector's file exporter writes them. */
class FileExporter implements SpanExporter {
  readonly #descriptor: number;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'a');
  }

  export(spans: ReadableSpan[], done: (result: { code: number }) => void): void {
    const lines = spans.map((span) => JSON.stringify({ ...span.spanContext(), ...dataOf(span) }));
    writeSync(this.#descriptor, `${lines.join('\n')}\n`);
    done({ code: 0 });
  }

  async shutdown(): Promise<void> {
    closeSync(this.#descriptor);
  }
}

function dataOf({ name, kind, attributes, status, events, startTime, endTime }: ReadableSpan): object {
  return { name, kind, attributes, status, events, startTime, endTime };
}

let installed = false;

/** A traced tool in OpenTelemetry's conventions for generative AI: arguments and result are span attributes. */
export function openTelemetry(path: string): {
  readonly call: <T>(name: string, input: unknown, body: () => Promise<T>) => Promise<T>;
  readonly end: () => Promise<void>;
} {
  if (!installed) context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  installed = true;
  const processor = new BatchSpanProcessor(new FileExporter(path), { maxQueueSize: 100_000 });
  const provider = new BasicTracerProvider({ spanProcessors: [processor] });
  const tracer = provider.getTracer('agent');
  const root = tracer.startSpan('agent');
  const inside = trace.setSpan(context.active(), root);
  return {
    call: (name, input, body) => {
      const span = tracer.startSpan(`execute_tool ${name}`, {}, inside);
      span.setAttribute('gen_ai.tool.call.arguments', JSON.stringify(input));
      return context.with(trace.setSpan(inside, span), async () => {
        const result = await body();
        span.setAttribute('gen_ai.tool.call.result', JSON.stringify(result));
        span.end();
        return result;
      });
    },
    end: async () => {
      root.end();
      await provider.forceFlush();
      await provider.shutdown();
    },
  };
}
