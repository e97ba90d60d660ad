import { type Check, type ToolCall, toolCallsIn } from '../check.js';
import { listNames, quoted, toolNamed } from '../wording.js';

/** Some call of `first` with a call of `second` after it; of one and the same tool, two calls. */
export function inOrder(first: string, second: string): Check {
  return {
    key: 'order',
    faults: (calls) => {
      const tools = toolCallsIn(calls);
      const start = tools.findIndex(({ name }) => name === first);
      if (start !== -1 && tools.slice(start + 1).some(({ name }) => name === second)) return [];
      return [`expected ${pair(first, second)}, but ${notInOrder(first, second, tools)}`];
    },
  };
}

function pair(first: string, second: string): string {
  if (first === second) return `${toolNamed(first)} to be called at least 2 times`;
  return `${toolNamed(first)} to be called before ${toolNamed(second)}`;
}

function notInOrder(first: string, second: string, tools: readonly ToolCall[]): string {
  const start = tools.find(({ name }) => name === first);
  const end = tools.findLast(({ name }) => name === second);
  if (start === undefined) return `${quoted(first)} was not called`;
  if (end === undefined) return `${quoted(second)} was not called`;
  if (start === end) return `it was called once: call #${start.number}`;
  return `its first call, #${start.number}, came after the last of ${quoted(second)}, #${end.number}`;
}

/** These tools and no others, in this order. */
export function exactly(names: readonly string[]): Check {
  return {
    key: 'sequence',
    faults: (calls) => {
      const tools = toolCallsIn(calls);
      const longest = Math.max(names.length, tools.length);
      for (let place = 0; place < longest; place++) {
        const [wanted, came] = [names[place], tools[place]];
        if (wanted === came?.name) continue;
        return [`expected exactly the tool calls ${listNames(names)}, but ${other(place, wanted, came)}`];
      }
      return [];
    },
  };
}

function other(place: number, wanted: string | undefined, came: ToolCall | undefined): string {
  if (came === undefined) return `tool call ${place + 1}, of ${quoted(wanted ?? '')}, never came`;
  const found = `call #${came.number} of ${quoted(came.name)}`;
  return wanted === undefined
    ? `after them came ${found}`
    : `tool call ${place + 1}, of ${quoted(wanted)}, is ${found}`;
}

/** These tools in this order, whatever else came in between. */
export function amongOthers(names: readonly string[]): Check {
  return {
    key: 'sequence',
    faults: (calls) => {
      const tools = toolCallsIn(calls);
      let last: ToolCall | null = null;
      let from = 0;
      for (const wanted of names) {
        const found = tools.findIndex(({ name }, index) => index >= from && name === wanted);
        const came = tools[found];
        if (came === undefined)
          return [`expected the tools ${listNames(names)} to be called in this order, but ${notAfter(wanted, last)}`];
        last = came;
        from = found + 1;
      }
      return [];
    },
  };
}

function notAfter(wanted: string, last: ToolCall | null): string {
  if (last === null) return `${quoted(wanted)} was not called`;
  return `no call of ${quoted(wanted)} came after call #${last.number} of ${quoted(last.name)}`;
}
