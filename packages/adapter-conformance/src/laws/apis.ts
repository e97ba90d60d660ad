import type { AdapterUnderTest, ConformanceCheck } from '../contract.js';
import { demandSame, onTrial } from '../trial.js';

/** Everything that the documentation says of an SDK. */
export function apiLaws<Client extends object>(adapter: AdapterUnderTest<Client>): readonly ConformanceCheck[] {
  return Object.entries(adapter.apis).map(([api, agent]) => ({
    name: `replays what it recorded with the server off: ${api}`,
    check: () =>
      onTrial(adapter, async (trial) => {
        const client = trial.client();
        demandSame(trial, await trial.roundTrip(() => agent(client)));
      }),
  }));
}
