import { appendFileSync } from 'node:fs';

export interface Forecast {
  readonly city: string;
  readonly degrees: number;
}

const DEGREES: Readonly<Record<string, number>> = { Rome: 24, Oslo: 3 };

/** Asks the weather service. A stand-in answers here, and notes in its log that it was asked. */
export async function forecastFor(city: string): Promise<Forecast> {
  appendFileSync('services.log', `GET /forecast/${city}\n`);
  return { city, degrees: DEGREES[city] ?? 15 };
}
