import { pino } from 'pino';

/** A logger that writes to a file at once, so that a killed process loses nothing: what a recording promises. */
export function syncPino(path: string): {
  readonly call: <T>(name: string, input: unknown, body: () => Promise<T>) => Promise<T>;
  readonly end: () => void;
} {
  const destination = pino.destination({ dest: path, sync: true });
  const log = pino({}, destination);
  return {
    call: async (name, input, body) => {
      log.info({ tool: name, input }, 'call');
      const output = await body();
      log.info({ tool: name, output }, 'result');
      return output;
    },
    end: () => {
      destination.flushSync();
      destination.end();
    },
  };
}
