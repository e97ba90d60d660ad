import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import Oldest from 'anthropic-oldest';
import * as oldestZod from 'anthropic-oldest/helpers/beta/zod';

/** What of the SDK's package the tests use. */
export interface Sdk {
  readonly Anthropic: typeof Anthropic;
  readonly betaZodTool: typeof betaZodTool;
  /** Whether a client may ask for its key with each request. */
  readonly takesKeyFunction: boolean;
}

/** The package at the ends of the range that is supported. Their types differ in what no test touches. */
export const SDKS: Readonly<Record<string, Sdk>> = {
  '0.70.0': { Anthropic: Oldest, ...oldestZod, takesKeyFunction: false } as unknown as Sdk,
  '1.14.0': { Anthropic, betaZodTool, takesKeyFunction: true },
};
