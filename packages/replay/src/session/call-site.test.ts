import { describe, expect, it } from 'vitest';
import { callSite, captureStack } from './call-site.js';

function stackOf(...frames: readonly string[]): { stack: string } {
  return { stack: ['Error', ...frames.map((frame) => `    at ${frame}`)].join('\n') };
}

describe('callSite', () => {
  it('is the first place outside Stepfork and Node, relative to the working directory', () => {
    expect(callSite(captureStack())).toMatch(/^\.\.|node_modules/);
    const agent = `file://${process.cwd()}/src/my agent.ts`.replaceAll(' ', '%20');
    expect(
      callSite(
        stackOf(
          `dispatch (${process.cwd()}/packages/replay/src/session/replay-run.ts:1:1)`,
          'cross (/x/node_modules/@stepfork/recorder/dist/chunk-AB.js:1:1)',
          'AsyncLocalStorage.run (node:async_hooks:346:14)',
          'new Promise (<anonymous>)',
          `async Object.runAgent (${agent}:12:9)`,
        ),
      ),
    ).toBe('src/my agent.ts:12:9');
  });

  it('knows its own packages by their built chunks, too', () => {
    const root = process.cwd();
    expect(callSite(stackOf(`a (${root}/packages/recorder/dist/chunk-1.js:1:1)`, `${root}/agent.js:3:5`))).toBe(
      'agent.js:3:5',
    );
  });

  it('is the agent that uses an SDK, and the SDK only where nothing of an agent is known', () => {
    const root = process.cwd();
    const sdk = [
      `a (${root}/packages/adapter-ai-sdk/dist/index.js:1:1)`,
      `Completions.create (${root}/node_modules/.pnpm/openai@6.49.0/node_modules/openai/core.mjs:7:8)`,
    ];
    expect(callSite(stackOf(...sdk, `async ask (${root}/src/ask.ts:3:5)`))).toBe('src/ask.ts:3:5');
    expect(callSite(stackOf(...sdk))).toBe('node_modules/.pnpm/openai@6.49.0/node_modules/openai/core.mjs:7:8');
  });

  it('is null where there is none', () => {
    expect(callSite(stackOf('node:internal/timers:1:1'))).toBeNull();
  });
});
