import { createOpenAI } from '@ai-sdk/openai';
import { instrument } from '@stepfork/adapter-ai-sdk';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { type Forecast, forecastFor } from './weather.js';

const openai = instrument(createOpenAI());
const tools = instrument({
  forecast: tool({
    description: 'The weather in a city in the coming days',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => forecastFor(city),
  }),
});

export interface Forecasts {
  readonly forecasts: readonly Forecast[];
  /** What the model makes of them. */
  readonly note: string;
}

/** Has the model look up the weather in each city and sum it up. */
export async function forecastsOf(cities: readonly string[]): Promise<Forecasts> {
  const { text, steps } = await generateText({
    model: openai.chat('gpt-4o-mini'),
    tools,
    prompt: `What will the weather be in ${cities.join(' and ')}?`,
    stopWhen: stepCountIs(4),
  });
  const results = steps.flatMap(({ staticToolResults }) => staticToolResults);
  return { forecasts: results.map(({ output }) => output), note: text };
}
