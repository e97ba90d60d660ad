import { join } from 'node:path';
import { type RecordingOptions, record, type Session, traceAgent, traceTool, traceTools } from '@stepfork/recorder';
import type { StepforkError, Trace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { eventsOf, loadSound, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');

/** A run of which the recorder tells no failure. */
async function recorded(agent: (session: Session) => unknown, options: RecordingOptions = {}): Promise<Trace> {
  const told: StepforkError[] = [];
  await record('agent', { output: path(), overwrite: true, onError: (error) => told.push(error), ...options }, agent);
  expect(told).toEqual([]);
  return loadSound(path());
}

const noKeys = (): { q: number } =>
  new Proxy(
    { q: 1 },
    {
      ownKeys() {
        throw new Error('not to be listed');
      },
    },
  );
const HALF = '\ud83d';

describe('what the agent hands over', () => {
  it('may be an object that cannot be listed, wherever it is handed over', async () => {
    const tool = traceTool('tool', async (box: { q: number }) => box.q);
    const trace = await recorded(() => tool(noKeys()));
    expect(eventsOf(trace, 'tool_call')[0]?.input).toEqual({ $stepfork: 'unreadable' });
    const agent = traceAgent({ name: 'agent', output: path(), overwrite: true }, async (box: { q: number }) => box.q);
    expect(await agent(noKeys())).toBe(1);
    const input = noKeys();
    expect(await record('agent', { output: path(), overwrite: true, input }, (_session, box) => box.q)).toBe(1);
    expect(loadSound(path()).status).toBe('completed');
  });

  it('has getters that are the agent’s to run', async () => {
    const ask = traceTool('ask', (_question: object) => {
      let used = false;
      return {
        id: 1,
        get text(): string {
          if (used) throw new Error('consumed already');
          used = true;
          return 'hello';
        },
      };
    });
    let read = 0;
    const question = Object.defineProperty({}, 'lazy', { get: () => ++read, enumerable: true });
    const trace = await recorded(() => expect(ask(question).text).toBe('hello'));
    expect(read).toBe(0);
    expect(eventsOf(trace, 'tool_result')[0]?.output).toEqual({ id: 1, text: { $stepfork: 'unreadable' } });
  });

  it('may inherit from an object that cannot be looked at, or have a name that cannot be read', async () => {
    const hostile = Object.create(
      new Proxy(
        {},
        {
          getOwnPropertyDescriptor() {
            throw new Error('no');
          },
          getPrototypeOf() {
            throw new Error('no');
          },
        },
      ),
    );
    const nameless = Object.defineProperty(() => 1, 'name', {
      get() {
        throw new Error('no');
      },
    });
    for (const odd of [hostile, nameless]) {
      const tool = traceTool('tool', (value: unknown) => value);
      const stream = traceTool('stream', function* () {
        yield odd;
      });
      const trace = await recorded((session) => {
        expect(tool(odd)).toBe(odd);
        expect([...stream()][0]).toBe(odd);
        session.stateChange('odd', odd, odd);
        session.error(odd);
        session.setOutput(odd);
      });
      expect(trace.status).toBe('completed');
    }
  });

  it('may hold half a character, in a tag, a key that changes, or an expression', async () => {
    const tool = traceTool('tool', (value: Record<string, number>) => {
      value[HALF] = 2;
      return new RegExp(HALF);
    });
    const tags = { question: `parcel ${HALF}`, [HALF]: 'x', long: 'x'.repeat(100_000) };
    const trace = await recorded(() => tool({ [HALF]: 1 }), { tags });
    const [header] = trace.runtime;
    const written = header?.type === 'runtime' ? header.tags : {};
    expect(written).toMatchObject({ question: 'parcel \ufffd', '\ufffd': 'x' });
    expect(written.long).toHaveLength(64 * 1024 + 1);
  });
});

describe('a session', () => {
  it('takes any name, and records it as far as a bundle can hold it', async () => {
    const odd = (value: unknown): string => value as string;
    const trace = await recorded((session) => {
      session.stateChange('', 1, 2);
      session.stateChange(`reply ${HALF}`, 1, 2);
      session.stateChange(odd(7), 1, 2);
      session.stateChange(odd(Symbol('s')), 1, 2);
      session.llmCall({ model: odd(undefined), input: 1 }).respond(1);
    });
    expect(eventsOf(trace, 'state_change').map(({ key }) => key)).toEqual([
      'unnamed',
      'reply \ufffd',
      '7',
      'Symbol(s)',
    ]);
    expect(eventsOf(trace, 'llm_request')).toMatchObject([{ model: 'undefined' }]);
  });
});

describe('a toolbox that is a frozen instance', () => {
  class Box {
    readonly #factor = 3;
    readonly unit = 'x';
    search = async (query: string): Promise<string> => `${query} ${this.#factor}`;
    times(n: number): number {
      return n * this.#factor;
    }
  }

  it('is traced, and is as frozen as it was', async () => {
    const box = Object.freeze(new Box());
    const tools = traceTools(box);
    const trace = await recorded(async () => {
      expect([await tools.search('a'), tools.times(2), tools.unit]).toEqual(['a 3', 6, 'x']);
    });
    expect(eventsOf(trace, 'tool_call').map(({ name }) => name)).toEqual(['search', 'times']);
    expect(await tools.search('outside')).toBe('outside 3');
    expect([tools instanceof Box, Object.keys(tools), 'times' in tools]).toEqual([true, ['unit', 'search'], true]);
    expect(() => Object.assign(tools, { unit: 'y' })).toThrow(TypeError);
    expect(Reflect.defineProperty(tools, 'more', { value: 1 })).toBe(false);
    expect(Reflect.deleteProperty(tools, 'unit')).toBe(false);
    expect(Object.getOwnPropertyDescriptor(tools, 'unit')?.value).toBe('x');
    expect(Object.getOwnPropertyDescriptor(tools, 'none')).toBeUndefined();
  });
});
