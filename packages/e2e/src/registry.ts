import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { PackedPackage } from './pack.js';

export interface Registry {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** As much of an npm registry as an install needs, for the packed packages alone, on loopback. */
export async function serveRegistry(packages: readonly PackedPackage[]): Promise<Registry> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const packed = packages.find(({ manifest }) => manifest.name === path);
    const tarball = packages.find(({ file }) => basename(file) === path);
    if (packed !== undefined) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(packument(packed, `http://${request.headers.host}`)));
    } else if (tarball !== undefined) {
      response.end(readFileSync(tarball.file));
    } else {
      response.statusCode = 404;
      response.end('{"error":"not found"}');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function packument({ manifest, file, integrity }: PackedPackage, host: string): unknown {
  const dist = { tarball: `${host}/${basename(file)}`, integrity };
  return {
    name: manifest.name,
    'dist-tags': { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist } },
  };
}
