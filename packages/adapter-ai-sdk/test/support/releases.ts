import { createOpenAI } from '@ai-sdk/openai-newest';
import * as ai from 'ai-newest';
import type { Release } from './release.js';
import { RELEASE_6 } from './release-6.js';

/** The package at the ends of the range that is supported. Their types differ in what no test touches. */
export const RELEASES: Readonly<Record<string, Release>> = {
  ...RELEASE_6,
  '7.0.173': { ai, createOpenAI } as unknown as Release,
};
