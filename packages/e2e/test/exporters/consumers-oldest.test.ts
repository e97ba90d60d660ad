import { SETTINGS } from '../../src/consumers/install.js';
import { describeConsumers } from '../../src/consumers/suite.js';

for (const setting of SETTINGS) {
  const { packages, runners } = setting;
  if (!runners.includes('vitest 5') && (packages === 'pnpm' || runners.includes('vitest 3')))
    describeConsumers(setting);
}
