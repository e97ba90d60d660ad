/** The agent of the README as files of a project, buggy and fixed, in TypeScript or JavaScript. */
export interface NotifyProject {
  readonly buggy: string;
  readonly fixed: string;
  /** One more tool call than was recorded. */
  readonly extended: string;
  readonly record: string;
  readonly expected: string;
}

export function notifyProject(language: 'ts' | 'js', modules: 'esm' | 'cjs'): NotifyProject {
  const typed = (type: string): string => (language === 'ts' ? `: ${type}` : '');
  const asCommonJs = language === 'js' && modules === 'cjs';
  const load = (names: string, from: string): string =>
    asCommonJs ? `const { ${names} } = require('${from}');` : `import { ${names} } from '${from}';`;
  const agent = (condition: string, before = ''): string =>
    [
      load('traceAgent, traceTool', '@stepfork/recorder'),
      `const orderStatus = traceTool('order_status', async (orderId${typed('string')}) => {`,
      "  return { order_id: orderId, status: 'shipped', carrier: 'FedEx' };",
      '});',
      `${asCommonJs ? 'exports.notifyAgent =' : 'export const notifyAgent ='} traceAgent('notify-agent', async (orderId${typed('string')}) => {`,
      before,
      '  const order = await orderStatus(orderId);',
      `  return { order_id: orderId, should_notify: order.status === '${condition}', carrier: order.carrier };`,
      '});',
      '',
    ].join('\n');
  return {
    buggy: agent('delivered'),
    fixed: agent('shipped'),
    extended: agent('shipped', "  await orderStatus('ORD-2002');"),
    record: [
      load('record', '@stepfork/recorder'),
      load('notifyAgent', `./agent.${language === 'ts' ? 'js' : modules === 'esm' ? 'mjs' : 'cjs'}`),
      "record('notify-agent', { output: 'failure.sftrace', input: 'ORD-1001' }, (_session, orderId) => notifyAgent(orderId))",
      '  .then((answer) => console.log(answer));',
      '',
    ].join('\n'),
    expected: '{ "order_id": "ORD-1001", "should_notify": true, "carrier": "FedEx" }\n',
  };
}
