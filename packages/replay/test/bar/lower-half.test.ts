import { describeHalf } from './bar.js';

describeHalf(0);
