import { describe, expect, it } from 'vitest';
import { squash, wordsOf } from './squash.js';

describe('keys', () => {
  it('are squashed to lower-case letters and digits', () => {
    expect(['API_KEY', 'api-key', 'Api Key', 'apiKey!'].map(squash)).toEqual(Array(4).fill('apikey'));
  });

  it.each(['nextPageToken', 'next_page_token', 'Next-Page-Token', 'NEXT_PAGE_TOKEN', 'next.page token'])(
    'are taken apart into words: %s',
    (key) => {
      expect(wordsOf(key)).toEqual(['next', 'page', 'token']);
    },
  );

  it('keep acronyms and digits together', () => {
    expect(wordsOf('parseHTTPToken2')).toEqual(['parse', 'http', 'token2']);
    expect(wordsOf('__')).toEqual([]);
  });
});
