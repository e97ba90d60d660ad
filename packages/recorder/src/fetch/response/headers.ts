import { withoutProofs } from '../request/proof.js';

/**
 * What of a response's headers says nothing to an agent or an SDK: how its body was carried, the way that it came, and
 * what is for browsers. All others shape what a client does, and are recorded.
 */
const CARRIES = /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-encoding|proxy-.+)$/;
const TELLS_THE_WAY =
  /^(date|age|server|via|vary|alt-svc|server-timing|x-(powered-by|runtime|served-by|timer|cache.*))$/;
const OF_CARRIERS = /^(cf|x-envoy|x-amz-cf|x-vercel|fly)-/;
const FOR_BROWSERS =
  /^(nel|report-to|reporting-endpoints|expect-ct|strict-transport-security|timing-allow-origin|origin-agent-cluster|access-control-.+|cross-origin-.+|content-security-policy.*|(referrer|permissions|feature)-policy|x-(content-type-options|frame-options|xss-protection|ua-compatible|dns-prefetch-control|permitted-cross-domain-policies|download-options|robots-tag))$/;
/** Credentials that a client is given. Others have no name of their own: redaction looks for those. */
const CREDENTIAL = /^(set-cookie2?|(.+-)?authorization|(.+-)?authentication-info)$/;

const LEFT_OUT: readonly RegExp[] = [CARRIES, TELLS_THE_WAY, OF_CARRIERS, FOR_BROWSERS, CREDENTIAL];
const LENGTH = 'content-length';
const ENCODING = 'content-encoding';

export type RecordedHeaders = Readonly<Record<string, string>>;

/** @param isPacked the body that goes with them is as it came */
export function recordedHeaders(headers: Headers, isPacked = false): RecordedHeaders {
  // Of a body that was unpacked that is the length of something that nobody is given.
  const isUnpacked = headers.has(ENCODING) && !isPacked;
  const isLeftOut = (name: string): boolean => {
    if (name === ENCODING && isPacked) return false;
    return (isUnpacked && name === LENGTH) || LEFT_OUT.some((names) => names.test(name));
  };
  const recorded = [...headers.entries()].filter(([name]) => !isLeftOut(name));
  return Object.fromEntries(recorded.map(([name, value]) => [name, withoutProofs(value)]));
}

/**
 * Nobody waits before trying again what is answered from a recording. Time that a replay is given is not its own.
 *
 * @param length of the body that is given with them; null where there is none, or none that is known
 */
export function replayedHeaders(recorded: RecordedHeaders, length: number | null): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(recorded)) {
    if (name === 'retry-after' || name === 'retry-after-ms') headers.set('retry-after-ms', '1');
    // A JSON document is written anew, and what stands for a secret has a length of its own.
    else headers.set(name, name === LENGTH && length !== null ? String(length) : value);
  }
  return headers;
}
