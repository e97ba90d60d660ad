import OpenAI from 'openai';
import { zodFunction, zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import Newest from 'openai-newest';
import * as newestZod from 'openai-newest/helpers/zod';
import Oldest from 'openai-oldest';
import * as oldestZod from 'openai-oldest/helpers/zod';

/** What of the SDK's package the tests use. */
export interface Sdk {
  readonly OpenAI: typeof OpenAI;
  readonly zodFunction: typeof zodFunction;
  readonly zodResponseFormat: typeof zodResponseFormat;
  readonly zodTextFormat: typeof zodTextFormat;
}

/** The package at the ends of the range that is supported. Their types differ in what no test touches. */
export const ENDS: Readonly<Record<string, Sdk>> = {
  '6.0.0': { OpenAI: Oldest, ...oldestZod } as unknown as Sdk,
  '7.59.0': { OpenAI: Newest, ...newestZod } as unknown as Sdk,
};

/** With the newest release that declares Node 20. */
export const SDKS: Readonly<Record<string, Sdk>> = {
  '6.0.0': ENDS['6.0.0'] as Sdk,
  '6.49.0': { OpenAI, zodFunction, zodResponseFormat, zodTextFormat },
  '7.59.0': ENDS['7.59.0'] as Sdk,
};
