import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What jest said of one test. */
export interface JestTest {
  readonly name: string;
  readonly passed: boolean;
  readonly message: string;
}

const PACKAGES = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(import.meta.url);

/**
 * Runs a package's tests named `*.jest.ts` by jest, in a process of its own: everything, the sources of this repository
 * included, is CommonJS there, and each file has globals of its own.
 */
export async function runInJest(packageName: string): Promise<readonly JestTest[]> {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-jest-'));
  const results = join(folder, 'results.json');
  const config = {
    rootDir: join(PACKAGES, packageName),
    testMatch: ['<rootDir>/test/**/*.jest.ts'],
    testTimeout: 120_000,
    transform: {
      '\\.ts$': [require.resolve('@swc/jest'), { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
    },
    moduleNameMapper: {
      '^@stepfork/([a-z-]+)$': `${PACKAGES}$1/src/index.ts`,
      '^@stepfork/([a-z-]+)/([a-z-]+)$': `${PACKAGES}$1/src/$2.ts`,
      // Sources import each other as "./round-trip.js", the name that TypeScript and Node agree on.
      '^(\\.{1,2}/.*)\\.js$': '$1',
    },
  };
  const jest = join(dirname(require.resolve('jest/package.json')), 'bin', 'jest.js');
  const args = [jest, '--config', JSON.stringify(config), '--json', `--outputFile=${results}`, '--runInBand'];
  try {
    const output = await runNode(args);
    return testsIn(readFileSync(results, 'utf8'), output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whatever it exits with: that tests failed is in the results. */
function runNode(args: readonly string[]): Promise<string> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|TEST|NODE_ENV|NODE_OPTIONS|JEST|FORCE_COLOR)/.test(name),
  );
  const env = { ...Object.fromEntries(inherited), NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, maxBuffer: 2 ** 28 }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

function testsIn(json: string, output: string): readonly JestTest[] {
  const { testResults } = JSON.parse(json) as Report;
  const tests = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => ({
      name: fullName,
      passed: status === 'passed',
      message: (failureMessages ?? []).join('\n'),
    })),
  );
  return tests.length > 0 ? tests : [{ name: 'jest', passed: false, message: output }];
}
