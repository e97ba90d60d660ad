import type { EventEmitter } from 'node:events';

/** Told of what is emitted, before whoever listens: tells them, or does so later. Gives what `emit` is to give. */
export type Told = (event: string | symbol, args: readonly unknown[], tell: () => boolean) => boolean;

/**
 * Not by listeners, which a program may take away with its own.
 *
 * @returns ends it, where nobody else has begun to listen so since
 */
export function tapEmits(emitter: EventEmitter, told: Told): () => void {
  const own = Object.getOwnPropertyDescriptor(emitter, 'emit');
  const { emit } = emitter;
  const tapped: EventEmitter['emit'] = (event, ...args: unknown[]) =>
    told(event, args, () => Reflect.apply(emit, emitter, [event, ...args]) as boolean);
  emitter.emit = tapped;
  return () => {
    if (emitter.emit !== tapped) return;
    if (own === undefined) Reflect.deleteProperty(emitter, 'emit');
    else Object.defineProperty(emitter, 'emit', own);
  };
}
