import { describe, expect, it } from 'vitest';
import type { StreamObserver } from './observer.js';
import { StreamWatch } from './stream-watch.js';

function observer(name: string, log: string[], run = { isOver: false }): StreamObserver {
  const enter =
    (side: string) =>
    <T>(step: () => T): T => {
      log.push(`${name} ${side}`);
      return step();
    };
  return {
    get isDone() {
      return run.isOver;
    },
    inside: enter('inside'),
    outside: enter('outside'),
    chunk: (value, act) => log.push(`${name} chunk ${value} ${act?.value}`),
    ended: (returned) => log.push(`${name} ended ${returned}`),
    failed: (thrown) => log.push(`${name} failed ${thrown}`),
    cancelled: () => log.push(`${name} cancelled`),
  };
}

describe('a stream watch', () => {
  it('tells each observer', () => {
    const log: string[] = [];
    const watch = new StreamWatch();
    for (const name of ['a', 'b']) watch.add(observer(name, log));
    watch.chunk(1, { by: 'next', value: 2 });
    watch.ended(3);
    watch.failed(4);
    watch.cancelled();
    expect(log.filter((line) => line.startsWith('a'))).toEqual([
      'a chunk 1 2',
      'a ended 3',
      'a failed 4',
      'a cancelled',
    ]);
    expect(log.filter((line) => line.startsWith('b'))).toHaveLength(4);
  });

  it('enters the call that made the stream last, and leaves it first', () => {
    const log: string[] = [];
    const watch = new StreamWatch();
    for (const name of ['inner', 'outer']) watch.add(observer(name, log));
    expect(watch.inside(() => log.push('step'))).toBe(3);
    watch.outside(() => log.push('listener'));
    expect(log).toEqual(['outer inside', 'inner inside', 'step', 'inner outside', 'outer outside', 'listener']);
  });

  it('forgets the observers of runs that are over', () => {
    const log: string[] = [];
    const watch = new StreamWatch();
    const run = { isOver: false };
    watch.add(observer('first', log, run));
    expect(watch.isDone).toBe(false);
    run.isOver = true;
    expect(watch.isDone).toBe(true);
    watch.add(observer('second', log));
    watch.chunk(1);
    expect(log).toEqual(['second chunk 1 undefined']);
  });
});
