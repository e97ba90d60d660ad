import type { EventEmitter } from 'node:events';

/** Told of what is emitted, before whoever listens: tells them, or does so later. Gives what `emit` is to give. */
export type Told = (event: string | symbol, args: readonly unknown[], tell: () => boolean) => boolean;

/** Not by listeners, which a program may take away with its own. */
export function tapEmits(emitter: EventEmitter, told: Told): void {
  const { emit } = emitter;
  emitter.emit = (event, ...args: unknown[]) =>
    told(event, args, () => Reflect.apply(emit, emitter, [event, ...args]) as boolean);
}
