import { record, traceTool } from '@stepfork/recorder';

// How deep a recursion goes: bare, through a boundary, and recorded.
function deepest(wrap: (step: (n: number) => void) => (n: number) => void): number {
  let reached = 0;
  const step = (n: number): void => {
    reached = n;
    next(n + 1);
  };
  const next = wrap(step);
  try {
    next(0);
  } catch {}
  return reached;
}
const traced = (step: (n: number) => void): ((n: number) => void) => traceTool('step', step);
const bare = deepest((step) => step);
const outside = deepest(traced);
const told: string[] = [];
const options = { output: process.argv[2], onError: (error: Error) => told.push(error.message) };
const recorded = await record('agent', options, () => deepest(traced));

// At whatever depth the stack ends, the answer of a tool that returned is what its caller gets.
let replaced = 0;
const leaf = traceTool('leaf', () => 'leaf');
const down = (n: number): void => {
  let answered = false;
  const probe = traceTool('probe', () => {
    const answer = leaf();
    answered = true;
    return answer;
  });
  try {
    probe();
  } catch {
    if (answered) replaced++;
    answered = false;
  }
  down(n + 1);
};
const again = { ...options, output: `${process.argv[2]}.2.sftrace` };
await record('agent', again, () => {
  try {
    down(0);
  } catch {}
});
await new Promise((resolve) => setImmediate(resolve));
process.stdout.write(JSON.stringify({ bare, outside, recorded, replaced, told }));
