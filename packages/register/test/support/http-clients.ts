import http from 'node:http';
import { gunzipSync } from 'node:zlib';
import axios, { type AxiosResponse } from 'axios';
import got, { type Response as GotResponse } from 'got';
import fetch from 'node-fetch';

/** What a program asks. */
export interface Asked {
  readonly method?: string;
  readonly body?: string;
}

/** All that a program sees of a request, in order. */
export type Seen = readonly string[];

export type Ask = (url: string, asked?: Asked) => Promise<Seen>;

/** Libraries that make requests by `node:http`, and that itself. */
export const CLIENTS: Readonly<Record<string, Ask>> = {
  'node:http': (url, { method = 'GET', body } = {}) =>
    new Promise((resolve) => {
      const seen: string[] = [];
      const request = http.request(url, { method, headers: typed(body) });
      request.on('information', ({ statusCode, headers }) => seen.push(`information ${statusCode} ${listed(headers)}`));
      request.on('error', (error) => seen.push(`error ${said(error)}`));
      request.on('response', (response) => {
        seen.push(`response ${response.statusCode} ${response.statusMessage} ${listed(response.headers)}`);
        const isPacked = response.headers['content-encoding'] === 'gzip';
        response.on('data', (bytes) => seen.push(`data ${shown(isPacked ? gunzipSync(bytes) : bytes)}`));
        for (const event of ['aborted', 'end'] as const) response.on(event, () => seen.push(event));
        response.on('error', (error) => seen.push(`response error ${said(error)}`));
        response.on('close', () => {
          seen.push(`complete ${response.complete} ${JSON.stringify(response.trailers)}`);
          resolve(seen);
        });
      });
      request.on('close', () => {
        if (!seen.some((line) => line.startsWith('response'))) resolve(seen);
      });
      request.end(body);
    }),
  'axios, and follow-redirects': async (url, { method = 'GET', body } = {}) => {
    const options = { method, data: body, headers: typed(body), responseType: 'arraybuffer', validateStatus: null };
    return settled(axios.request<ArrayBuffer>({ url, ...(options as object) }), (response: AxiosResponse) => [
      `${response.status} ${response.statusText} ${listed(response.headers as Record<string, unknown>)}`,
      `at ${(response.request as { path: string }).path}`,
      shown(response.data as Uint8Array),
    ]);
  },
  'axios, as a stream': async (url, { method = 'GET', body } = {}) => {
    const options = { method, data: body, headers: typed(body), responseType: 'stream', validateStatus: null };
    const asking = axios.request<AsyncIterable<Uint8Array>>({ url, ...(options as object) });
    return settled(asking, (response: AxiosResponse<AsyncIterable<Uint8Array>>) => readThrough(response.data));
  },
  got: async (url, { method = 'GET', body } = {}) => {
    const headers = typed(body);
    const asking = got(url, {
      ...{ method: method as 'GET', headers, throwHttpErrors: false, retry: { limit: 0 }, responseType: 'buffer' },
      ...(body === undefined ? {} : { body }),
    });
    return settled(asking, (response: GotResponse<Buffer>) => [
      `${response.statusCode} ${response.statusMessage} ${listed(response.headers)}`,
      `at ${new URL(response.url).pathname}, by ${response.redirectUrls.map(({ pathname }) => pathname).join()}`,
      shown(response.body),
    ]);
  },
  'node-fetch': async (url, { method = 'GET', body } = {}) => {
    const asking = fetch(url, { method, headers: typed(body), ...(body === undefined ? {} : { body }) });
    return settled(asking, async (response) => [
      `${response.status} ${response.statusText} ${listed(Object.fromEntries(response.headers))}`,
      `at ${new URL(response.url).pathname} ${response.redirected}`,
      ...(await readThrough(response.body as AsyncIterable<Uint8Array>)),
    ]);
  },
};

function typed(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

async function settled<R>(asking: Promise<R>, view: (response: R) => Seen | Promise<Seen>): Promise<Seen> {
  try {
    return await view(await asking);
  } catch (error) {
    return [`failed ${said(error as Error)}`];
  }
}

/** Piece by piece. */
export async function readThrough(body: AsyncIterable<Uint8Array>): Promise<Seen> {
  const seen: string[] = [];
  try {
    for await (const bytes of body) seen.push(shown(bytes));
    return [...seen, 'end'];
  } catch (error) {
    return [...seen, `broke off ${said(error as Error)}`];
  }
}

export function said(error: Error): string {
  const { name, message, code } = error as Error & { readonly code?: unknown };
  return JSON.stringify({ name, message, code });
}

/** Those that say how the answer came are not recorded. */
const ON_THE_WAY = /^(connection|date|keep-alive|transfer-encoding|trailer|content-encoding)$/;

function listed(headers: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    Object.entries(headers)
      .filter(([name]) => !ON_THE_WAY.test(name))
      .sort(),
  );
}

function shown(bytes: Uint8Array | ArrayBuffer): string {
  return JSON.stringify(Buffer.from(bytes as Uint8Array).toString('latin1'));
}
