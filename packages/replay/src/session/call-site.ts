import { relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { displayText } from '@stepfork/trace-format';

/** Deep enough to reach past a boundary and a few wrappers. */
const FRAMES = 40;

/** A function that is being called. */
export type Entered = (...args: never[]) => unknown;

/** Where code was running, as the engine keeps it. */
export interface Stack {
  readonly stack?: string;
}

/**
 * Where we are: cheap to take at every call, since the text is made only when somebody asks.
 *
 * @param within whose caller is the first frame
 */
export function captureStack(within?: Entered): Stack {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  try {
    const here: Stack = {};
    Error.captureStackTrace(here, within);
    return here;
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/**
 * First frame outside Stepfork and Node, `agent.ts:12:9`, relative to the working directory; null for none. What an
 * agent calls its tools or its model by, an SDK, says where only if nothing of the agent's own is known.
 */
export function callSite(stack: Stack): string | null {
  let inPackage: string | null = null;
  for (const place of placesOf(stack)) {
    const path = toPath(place.file);
    if (path === null || isOurs(path)) continue;
    const site = displayText(`${relative(process.cwd(), path)}:${place.line}:${place.column}`);
    if (!/[\\/]node_modules[\\/]/.test(path)) return site;
    inPackage ??= site;
  }
  return inPackage;
}

/** Whether it was code of Stepfork's that called. */
export function isOwnCall(stack: Stack): boolean {
  for (const { file } of placesOf(stack)) {
    const path = toPath(file);
    if (path !== null) return isOurs(path);
  }
  return false;
}

interface Place {
  readonly file: string;
  readonly line: string;
  readonly column: string;
}

/** `at fn (file:1:2)`, `at async fn (file:1:2)`, `at file:1:2`. */
const PLACE = /^\s*at (?:async )?(?:.+? \()?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/;

function placesOf(stack: Stack): readonly Place[] {
  return String(stack.stack)
    .split('\n')
    .flatMap((text) => {
      const [, file, line, column] = PLACE.exec(text) ?? [];
      return file === undefined || line === undefined || column === undefined ? [] : [{ file, line, column }];
    });
}

function toPath(file: string): string | null {
  if (!file.startsWith('file://')) return file;
  try {
    return fileURLToPath(file);
  } catch {
    return null;
  }
}

/** This very file, which in a bundled program is the whole of Stepfork. */
const SELF = toPath(placesOf(captureStack())[0]?.file ?? '') ?? '';
/** The folder that this package shares with its siblings, where it is laid out as packages are. */
const PACKAGES = /^(.*[\\/])(?:replay|cli|exporter-[a-z]+)[\\/](?:src|dist)[\\/]/.exec(SELF)?.[1] ?? null;
const SIBLING =
  /^(?:trace-format|redact|diff|recorder|register|replay|adapter-[a-z-]+|exporter-[a-z]+|cli)[\\/](?:src|dist)[\\/]/;

function isOurs(path: string): boolean {
  if (path === SELF || /[\\/]@stepfork[\\/][a-z-]+[\\/]/.test(path)) return true;
  return PACKAGES !== null && path.startsWith(PACKAGES) && SIBLING.test(path.slice(PACKAGES.length));
}
