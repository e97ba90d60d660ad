import { type RuntimeRecord, type TraceEvent, toolCallEvent, toolResultEvent } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { traceOf } from '../../test/hand-built.js';
import { createPlan } from '../plan/plan.js';
import type { PlannedCall } from '../plan/planned-call.js';
import { Gate } from './gate.js';
import type { CallEntries, LogEntry } from './recorded-log.js';

/** Calls whose starts (`a`) and ends (`A`) stand in the log as in the text; `(x)` is made by the body of the one before. */
function callsIn(log: string): Record<string, PlannedCall> {
  const events: TraceEvent[] = [];
  let parent: string | null = null;
  let last: string | null = null;
  for (const letter of log.replaceAll(' ', '')) {
    const name = letter.toLowerCase();
    if (letter === '(') parent = last;
    else if (letter === ')') parent = null;
    else if (letter === name) events.push(toolCallEvent({ id: name, name, input: null, parent_id: parent }));
    else events.push(toolResultEvent({ name, output: name, parent_id: name }));
    last = name;
  }
  const { calls } = createPlan(traceOf(events));
  return Object.fromEntries(calls.map((call) => [call.name, call]));
}

function gateOf(log: string) {
  const calls = callsIn(log);
  const call = (name: string): PlannedCall => calls[name] as PlannedCall;
  const gate = new Gate(Object.values(calls), 'recorded');
  const of = (name: string): CallEntries => gate.of(call(name));
  const end = (name: string): void => gate.happened(of(name).end as LogEntry);
  return { gate, call, of, end };
}

describe('the gate', () => {
  it('holds an outcome until every start before it has happened', () => {
    const { gate, call, of } = gateOf('a b A B');
    gate.start(call('a'));
    expect(gate.deliverable()).toBeNull();
    expect(gate.next()).toMatchObject({ call: { name: 'b' }, edge: 'start' });
    gate.start(call('b'));
    expect(gate.deliverable()).toBe(of('a').end);
  });

  it('holds an outcome until every end before it has happened', () => {
    const { gate, call, of, end } = gateOf('a b B A');
    gate.start(call('a'));
    gate.start(call('b'));
    expect(gate.deliverable()).toBe(of('b').end);
    end('b');
    expect(gate.deliverable()).toBe(of('a').end);
  });

  it('takes starts in any order', () => {
    const { gate, call, of } = gateOf('a b B A');
    gate.start(call('b'));
    expect(gate.isDue(of('b').start)).toBe(false);
    gate.start(call('a'));
    expect(gate.deliverable()).toBe(of('b').end);
  });

  it('waits for no hidden call, and for one that was served after all', () => {
    const { gate, call, of, end } = gateOf('a(xX)A b B');
    gate.start(call('a'));
    expect(gate.deliverable()).toBe(of('a').end);
    end('a');
    gate.start(call('b'));
    gate.start(call('x'));
    expect(gate.deliverable()).toBe(of('x').end);
    end('x');
    expect(gate.deliverable()).toBe(of('b').end);
  });

  it('never delivers a call without an outcome, and waits for no such', () => {
    const { gate, call, of } = gateOf('a b B');
    gate.start(call('a'));
    gate.start(call('b'));
    expect(gate.held).toEqual([of('b').end]);
    expect(gate.deliverable()).toBe(of('b').end);
  });

  it('lets outcomes go in recorded order once it is open', () => {
    const { gate, call, of, end } = gateOf('z a b B A');
    gate.start(call('a'));
    gate.start(call('b'));
    expect(gate.deliverable()).toBeNull();
    gate.open();
    expect(gate.deliverable()).toBe(of('b').end);
    end('b');
    expect(gate.deliverable()).toBe(of('a').end);
  });

  it('counts the chunks of a stream from the moment at which somebody reads it, until nobody does', () => {
    const stream = toolCallEvent({ id: 's', name: 's', input: null });
    const other = toolCallEvent({ id: 'o', name: 'o', input: null });
    const output = { $stepfork: 'stream', kind: 'async-generator', end: 'complete', chunks: [1] };
    const trace = traceOf([
      stream,
      other,
      toolResultEvent({ name: 'o', output: 1, parent_id: 'o' }),
      toolResultEvent({ name: 's', output, parent_id: 's' }),
    ]);
    const at = { at_ms: 0, turn: 1, call_id: 's' };
    const runtime: RuntimeRecord[] = [
      { ...at, type: 'stream', kind: 'async-generator', answered: 'sync', call_turn: 1, step: 2, order: 0 },
      { ...at, type: 'chunk', index: 0, data: 1, step: 3, order: 1 },
    ];
    const { calls } = createPlan({ ...trace, runtime });
    const [s, o] = calls as [PlannedCall, PlannedCall];
    const gate = new Gate(calls, 'recorded');
    const { open, chunks } = gate.of(s);
    gate.start(s);
    gate.happened(open as LogEntry);
    gate.start(o);
    const end = gate.of(o).end as LogEntry;
    expect(gate.deliverable()).toBe(end);
    gate.read(s);
    expect(gate.deliverable()).toBeNull();
    gate.ask(chunks[0] as LogEntry);
    expect(gate.deliverable()).toBe(chunks[0]);
    gate.drop(s);
    expect(gate.deliverable()).toBe(end);
  });
});
