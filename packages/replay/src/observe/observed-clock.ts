import type { Clock } from '../clock/run-clock.js';
import type { Touches } from './touches.js';

/** The run's clock, with each time counted at which the run reads it. */
export function observedClock(clock: Clock, touches: Touches): Clock {
  const counted = (read: () => number) => () => {
    touches.add('clock', "the run's clock");
    return read();
  };
  return {
    zone: clock.zone,
    timeOrigin: clock.timeOrigin,
    date: counted(() => clock.date()),
    performance: counted(() => clock.performance()),
  };
}
