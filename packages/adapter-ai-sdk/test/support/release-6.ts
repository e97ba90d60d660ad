import { createOpenAI } from '@ai-sdk/openai';
import * as oldestOpenai from '@ai-sdk/openai-oldest';
import * as ai from 'ai';
import * as oldest from 'ai-oldest';
import type { Release } from './release.js';

/** The releases that are CommonJS, too: jest loads them as they are. */
export const RELEASE_6: Readonly<Record<string, Release>> = {
  '6.0.0': { ai: oldest, createOpenAI: oldestOpenai.createOpenAI } as unknown as Release,
  '6.0.326': { ai, createOpenAI },
};
