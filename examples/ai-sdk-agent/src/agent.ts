import { traceAgent } from '@stepfork/recorder';
import { forecastsOf } from './forecasts.js';

export interface Trip {
  readonly cities: readonly string[];
}

const COLD = 10;

/** Decides what to pack for a trip. */
export const packingAgent = traceAgent('packing-agent', async ({ cities }: Trip) => {
  const { forecasts, note } = await forecastsOf(cities);
  const coldest = Math.min(...forecasts.map(({ degrees }) => degrees));
  return { cities, coat: coldest < COLD, note };
});
