import { traceAgent } from '@stepfork/recorder';
import { type Flight, searchFlights, type Trip } from './flights.js';
import { ask } from './model.js';

const READ_TRIP = 'Read the trip from the request. Answer with JSON: {"from", "to"} as airport codes, {"date"}.';
const CHOOSE = 'Choose the option that suits the request best. Answer with JSON: {"option"}, its number in the list.';

/** Turns a traveller's request into the flight to book. */
export const bookingAgent = traceAgent('booking-agent', async (request: string) => {
  const trip = await ask<Trip>(READ_TRIP, request);
  const flights = await searchFlights(trip);
  const { option } = await ask<{ option: number }>(CHOOSE, `${request}\n\n${flights.map(asOption).join('\n')}`);
  const flight = flights[option];
  if (flight === undefined) throw new RangeError(`the model chose option ${option} of ${flights.length}`);
  return { flight: flight.number, price_usd: flight.price_usd, stops: flight.stops };
});

function asOption(flight: Flight, index: number): string {
  const stops = flight.stops === 0 ? 'nonstop' : `${flight.stops} stop${flight.stops === 1 ? '' : 's'}`;
  return `${index + 1}. ${flight.number} at ${flight.departs}, ${stops}, ${flight.price_usd} USD`;
}
