import type { AdapterUnderTest, ConformanceCheck } from './contract.js';
import { answerLaws } from './laws/answers.js';
import { apiLaws } from './laws/apis.js';
import { clientLaws } from './laws/client.js';
import { divergenceLaws } from './laws/divergence.js';
import { toolLaws } from './laws/tools.js';

/**
 * What every adapter has to keep, as checks for whatever test runner its author uses:
 *
 * ```ts
 * test.each(adapterLaws(adapter))('$name', ({ check }) => check());
 * ```
 *
 * Each check has a server of its own, which is asked by the SDK's real package.
 */
export function adapterLaws<Client extends object>(adapter: AdapterUnderTest<Client>): readonly ConformanceCheck[] {
  return [apiLaws, answerLaws, toolLaws, divergenceLaws, clientLaws].flatMap((laws) => laws(adapter));
}
