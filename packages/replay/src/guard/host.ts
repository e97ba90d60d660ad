const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1)$/;

/** A host, or a host and port, as two writings of it compare. */
export function hostName(text: string): string {
  const name = text.toLowerCase().replace(MAPPED, '');
  return /^\[[^\]]*\]$/.test(name) ? name.slice(1, -1) : name;
}

/** `db.test:5432`; `[::1]:80` for an IPv6 address; the host alone where there is no port. */
export function hostAndPort(host: string, port: unknown): string {
  if (port === undefined || port === null || port === '') return host;
  return host.includes(':') ? `[${host}]:${String(port)}` : `${host}:${String(port)}`;
}

/** All that an allow list may call a host, with and without its port. */
export function namesOfHost(host: string, port?: unknown): readonly string[] {
  const hosts = LOOPBACK.test(host) ? [host, 'localhost'] : [host];
  return hosts.flatMap((each) => [each, hostAndPort(each, port)]);
}
