import { describe, expect, it } from 'vitest';
import { defaultOutputPath } from './output-path.js';

describe('default output path', () => {
  it.each([
    ['booking', 'booking'],
    ['my agent!', 'my-agent'],
    ['../../etc/passwd', '..-..-etc-passwd'],
    ['agent_1.2-b', 'agent_1.2-b'],
    ['日本', 'agent'],
    ['x'.repeat(300), 'x'.repeat(100)],
  ])('B176 makes of %j the name %j', (agent, name) => {
    expect(defaultOutputPath(agent, 'run_1')).toBe(`.stepfork/traces/${name}-run_1.sftrace`);
  });
});
