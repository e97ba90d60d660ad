import { describeQuarter } from './bar.js';

describeQuarter(1);
