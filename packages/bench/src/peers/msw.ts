import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { ANSWER, ANSWER_HEADERS, QUESTION, SEARCH_PATH } from '../http/exchange.js';
import type { HttpMock } from '../http/peers.js';

export function mswServer(origin: string): HttpMock {
  const server = setupServer(
    http.post(`${origin}${SEARCH_PATH}`, async ({ request }) =>
      (await request.text()) === QUESTION ? new HttpResponse(ANSWER, { headers: ANSWER_HEADERS }) : undefined,
    ),
  );
  return {
    name: 'msw',
    start: () => server.listen({ onUnhandledRequest: 'error' }),
    stop: () => server.close(),
  };
}
