// Before each file of tests: files share a process, which warns of each thing once.
import { slot } from '../../src/boundary/slot.js';

slot().warned?.clear();
