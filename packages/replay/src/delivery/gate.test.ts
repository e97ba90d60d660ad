import { type TraceEvent, toolCallEvent, toolResultEvent } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { traceOf } from '../../test/hand-built.js';
import { createPlan } from '../plan/plan.js';
import type { PlannedCall } from '../plan/planned-call.js';
import { Gate } from './gate.js';

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
  return { gate: new Gate(Object.values(calls), 'recorded'), call };
}

describe('the gate', () => {
  it('holds an outcome until every start before it has happened', () => {
    const { gate, call } = gateOf('a b A B');
    gate.start(call('a'));
    expect(gate.deliverable()).toBeNull();
    expect(gate.next()).toMatchObject({ call: { name: 'b' }, edge: 'start' });
    gate.start(call('b'));
    expect(gate.deliverable()).toBe(call('a'));
  });

  it('holds an outcome until every end before it has happened', () => {
    const { gate, call } = gateOf('a b B A');
    gate.start(call('a'));
    gate.start(call('b'));
    expect(gate.deliverable()).toBe(call('b'));
    gate.end(call('b'));
    expect(gate.deliverable()).toBe(call('a'));
  });

  it('takes starts in any order', () => {
    const { gate, call } = gateOf('a b B A');
    gate.start(call('b'));
    expect(gate.isDue(call('b'))).toBe(false);
    gate.start(call('a'));
    expect(gate.deliverable()).toBe(call('b'));
  });

  it('waits for no hidden call, and for one that was served after all', () => {
    const { gate, call } = gateOf('a(xX)A b B');
    gate.start(call('a'));
    expect(gate.deliverable()).toBe(call('a'));
    gate.end(call('a'));
    gate.start(call('b'));
    gate.start(call('x'));
    expect(gate.deliverable()).toBe(call('x'));
    gate.end(call('x'));
    expect(gate.deliverable()).toBe(call('b'));
  });

  it('never delivers a call without an outcome, and waits for no such', () => {
    const { gate, call } = gateOf('a b B');
    gate.start(call('a'));
    gate.start(call('b'));
    expect(gate.held).toEqual([call('b')]);
    expect(gate.deliverable()).toBe(call('b'));
  });

  it('lets outcomes go in recorded order once it is open', () => {
    const { gate, call } = gateOf('z a b B A');
    gate.start(call('a'));
    gate.start(call('b'));
    expect(gate.deliverable()).toBeNull();
    gate.open();
    expect(gate.deliverable()).toBe(call('b'));
    gate.end(call('b'));
    expect(gate.deliverable()).toBe(call('a'));
  });
});
