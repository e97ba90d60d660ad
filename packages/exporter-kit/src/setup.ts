import { prepareReplay } from './runtime/prepare.js';

// For a test of a framework that needs no more: imported first, before the agent's modules load.
prepareReplay();
