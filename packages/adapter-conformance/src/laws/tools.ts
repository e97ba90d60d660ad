import { setTimeout } from 'node:timers/promises';
import { traceTool } from '@stepfork/recorder';
import { type AdapterUnderTest, type ConformanceCheck, demandEqual, type WeatherTool } from '../contract.js';
import { describeError } from '../thrown.js';
import { demandSame, eventsOf, onTrial } from '../trial.js';

type Run = WeatherTool['run'];

/** What holds of tools that the SDK itself runs. */
export function toolLaws<Client extends object>(adapter: AdapterUnderTest<Client>): readonly ConformanceCheck[] {
  const law = (name: string, cities: readonly string[], makeRun: (ran: string[]) => Run): ConformanceCheck => ({
    name,
    check: () =>
      onTrial(adapter, async (trial) => {
        const client = trial.client();
        const ran: string[] = [];
        const run = makeRun(ran);
        const text = `weather in ${cities.join(' and ')}?`;
        const trip = await trial.roundTrip(() =>
          adapter.runTools(client, { text }, { name: 'weather', run }).catch(describeError),
        );
        demandSame(trial, trip);
        demandEqual('bodies that ran', [...ran].sort(), [...cities].sort());
        const calls = eventsOf(trip.trace, 'tool_call').map(({ name: called, input }) => [called, input]);
        demandEqual(
          'calls of tools that were recorded',
          calls,
          cities.map((city) => ['weather', { city }]),
        );
      }),
  });
  const answer = async (ran: string[], city: string): Promise<string> => {
    ran.push(city);
    return JSON.stringify({ city, degrees: 21 });
  };
  return [
    law(
      'runs no body of a tool again',
      ['Rome'],
      (ran) =>
        ({ city }) =>
          answer(ran, city),
    ),
    law('runs no body of tools again that end out of order', ['Rome', 'Oslo', 'Lima'], (ran) => async ({ city }) => {
      await setTimeout(city === 'Rome' ? 40 : 5);
      return answer(ran, city);
    }),
    law('records a tool once that is traced already', ['Rome', 'Oslo'], (ran) =>
      traceTool('weather', ({ city }: { readonly city: string }) => answer(ran, city)),
    ),
    law('replays a tool that throws', ['Rome', 'Oslo'], (ran) => async ({ city }) => {
      if (city === 'Oslo') {
        ran.push(city);
        throw new RangeError('no such station: Oslo');
      }
      return answer(ran, city);
    }),
  ];
}
