import { SETTINGS } from '../../src/consumers/install.js';
import { describeConsumers } from '../../src/consumers/suite.js';

for (const setting of SETTINGS) {
  const { runners } = setting;
  if (runners.includes('vitest 5')) describeConsumers(setting);
}
