import { describeHalf } from './bar.js';

describeHalf(5_000);
