import nock from 'nock';
import { ANSWER, ANSWER_HEADERS, QUESTION, SEARCH_PATH } from '../http/exchange.js';
import type { HttpMock } from '../http/peers.js';

// It is at work as soon as it is imported.
nock.restore();

export function nockScope(origin: string): HttpMock {
  return {
    name: 'nock',
    start: () => {
      nock.activate();
      nock.disableNetConnect();
      nock(origin).persist().post(SEARCH_PATH, QUESTION).reply(200, ANSWER, ANSWER_HEADERS);
    },
    stop: () => {
      nock.cleanAll();
      nock.enableNetConnect();
      nock.restore();
    },
  };
}
