import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, type Project } from './support/project.js';

const AGENT = `
import { createRequire } from 'node:module';
import { get } from 'node:http';
const required = createRequire(import.meta.url)('http');
const asked = (make) => new Promise((resolve) => {
  const told = [];
  const request = make((response) => response.resume().on('end', () => told.push(String(response.statusCode))));
  for (const event of ['abort', 'close']) request.on(event, () => told.push(event));
  request.on('error', ({ code, message }) => told.push([code, message].join(' ')));
  request.on('close', () => resolve(told.join(', ')));
});
const url = process.env.SERVER;
const late = Number(process.env.LATE ?? 400);
console.log(await asked((hear) => {
  const request = get(url + '/silent', hear);
  const timer = setTimeout(() => request.destroy(new Error('too slow')), late);
  return request.on('close', () => clearTimeout(timer));
}));
console.log(await asked((hear) => get(url + '/silent', { signal: AbortSignal.timeout(400) }, hear)));
console.log(await asked((hear) => required.get(url + '/silent', hear).destroy()));
console.log(await asked((hear) => required.get(url + '/next', { agent: false }, hear)));
`;

const REPLAY = `
import { installHttp } from '@stepfork/register/http';
import { formatReport, replay } from '@stepfork/replay';
installHttp();
const report = await replay('run.sftrace', async () => { await import('./agent.js'); });
console.log(report.divergence === null ? 'same' : formatReport(report));
`;

let project: Project;
let server: http.Server;
beforeAll(async () => {
  project = await createProject({ 'agent.js': AGENT, 'replay.js': REPLAY });
  server = http.createServer(({ url }, response) => {
    if (url === '/next') response.end('there');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  project.remove();
});

test('a program that gives its requests up is recorded by the line that records it, and replayed with nobody there', async () => {
  const SERVER = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bare = await project.run(['agent.js'], { SERVER });
  expect(bare.stdout.trim().split('\n')).toEqual([
    'too slow, close',
    'ABORT_ERR The operation was aborted, close',
    'ECONNRESET socket hang up, close',
    '200, close',
  ]);
  const recorded = await project.run(['--import', '@stepfork/register', 'agent.js'], {
    ...{ SERVER, STEPFORK_OUTPUT: 'run.sftrace' },
  });
  expect([recorded.exitCode, recorded.stdout]).toEqual([0, bare.stdout]);
  expect(recorded.stderr).toContain('3 calls');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const replayed = await project.run(['replay.js'], { SERVER });
  expect(replayed).toEqual({ exitCode: 0, signal: null, stdout: `${bare.stdout}same\n`, stderr: '' });
  const longer = await project.run(['replay.js'], { SERVER, LATE: '60000' });
  expect(longer.stdout).toContain('was aborted before it answered, in the recording');
});
