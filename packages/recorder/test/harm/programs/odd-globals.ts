import { record, traceTool } from '@stepfork/recorder';

// Something else in the program changes what all objects have, or the clock.
const how = process.argv[3] ?? '';
const RealDate = Date;
const ACTS: Readonly<Record<string, () => void>> = {
  'a method of all objects': () => Object.assign(Object.prototype, { extend: () => {} }),
  'a toJSON of all lists': () => Object.assign(Array.prototype, { toJSON: () => 'lost' }),
  'a toJSON of all objects': () => Object.assign(Object.prototype, { toJSON: () => 'lost' }),
  'a clock that stands': () => {
    globalThis.Date = class extends RealDate {
      constructor() {
        super(0);
      }
      static override now = (): number => 0;
    } as DateConstructor;
  },
  'a clock that is none': () => {
    globalThis.Date = (() => ({})) as unknown as DateConstructor;
  },
  'warnings that throw': () => {
    process.emitWarning = () => {
      throw new Error('no warnings here');
    };
  },
};
const tool = traceTool('tool', async (x: string) => ({ when: new RealDate(86_400_000), list: [1, [x]], odd: () => x }));
ACTS[how]?.();
const told: string[] = [];
await record('agent', { output: process.argv[2], onError: ({ message }) => told.push(message) }, () => tool('q'));
process.stdout.write(told.join());
