import { appendFileSync } from 'node:fs';
import { traceTool } from '@stepfork/recorder';

export interface Trip {
  readonly from: string;
  readonly to: string;
  /** `2026-06-02`. */
  readonly date: string;
}

export interface Flight {
  readonly number: string;
  readonly departs: string;
  readonly stops: number;
  readonly price_usd: number;
}

/** Asks the airlines. A stand-in answers here, and notes in its log that it was asked. */
export const searchFlights = traceTool('search_flights', async (trip: Trip): Promise<Flight[]> => {
  appendFileSync('services.log', `GET /flights?from=${trip.from}&to=${trip.to}&date=${trip.date}\n`);
  return [
    { number: 'AF1024', departs: '07:25', stops: 0, price_usd: 189 },
    { number: 'TP431', departs: '10:40', stops: 0, price_usd: 142 },
    { number: 'IB8745', departs: '06:50', stops: 1, price_usd: 118 },
  ];
});
