import { join } from 'node:path';
import { type Dispatcher, getGlobalDispatcher, MockAgent, SnapshotAgent, setGlobalDispatcher } from 'undici';
import { ANSWER, ANSWER_HEADERS, QUESTION, SEARCH_PATH, searchBy } from '../http/exchange.js';
import type { HttpMock, HttpRecorder } from '../http/peers.js';

/** What `fetch` sends by when it is left alone. */
const usual = getGlobalDispatcher();

export function mockAgent(origin: string): HttpMock {
  return dispatching('undici MockAgent', () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent
      .get(origin)
      .intercept({ path: SEARCH_PATH, method: 'POST', body: QUESTION })
      .reply(200, ANSWER, { headers: ANSWER_HEADERS })
      .persist();
    return agent;
  });
}

/** @param path answers another one each time */
export function snapshotRecorder(path: () => string): HttpRecorder {
  return {
    name: 'undici SnapshotAgent, recording',
    record: async (work) => {
      const agent = new SnapshotAgent({ mode: 'record', snapshotPath: path() });
      setGlobalDispatcher(agent);
      const result = await work();
      await agent.saveSnapshots();
      setGlobalDispatcher(usual);
      await agent.close();
      return result;
    },
  };
}

export async function snapshotAgent(folder: string, origin: string): Promise<HttpMock> {
  const snapshotPath = join(folder, 'snapshots.json');
  await snapshotRecorder(() => snapshotPath).record(() => searchBy(fetch, origin));
  return dispatching('undici SnapshotAgent', async () => {
    const agent = new SnapshotAgent({ mode: 'playback', snapshotPath });
    await agent.loadSnapshots();
    return agent;
  });
}

function dispatching(name: string, made: () => Dispatcher | Promise<Dispatcher>): HttpMock {
  let agent: Dispatcher | null = null;
  return {
    name,
    start: async () => {
      agent = await made();
      setGlobalDispatcher(agent);
    },
    stop: async () => {
      setGlobalDispatcher(usual);
      await agent?.close();
    },
  };
}
