/** The files of a bundle, wherever they lie: in a directory, or packed into one file. */
export interface Members {
  /** The bundle's own path. */
  readonly path: string;
  /** Digests of the members that the bundle itself states beside integrity.json: those of a packed one. */
  readonly seals: ReadonlyMap<string, string>;
  /** Whether anything is there under this name. */
  has(name: string): boolean;
  /** Digests by which the blobs that lie there are named, ascending. Other files in their folder are of no concern. */
  blobs(): readonly string[];
  /**
   * Opens a member for reading from its start.
   *
   * @returns null when there is none
   * @throws StepforkError `missing_file` for what is no regular file of the bundle, `read_failed` when the system
   * refuses
   */
  open(name: string): OpenMember | null;
}

/** A member that is being read. */
export interface OpenMember {
  /** How messages name it: the bundle's path, and its name in there. */
  readonly file: string;
  /** In bytes, when it was opened. */
  readonly size: number;
  /** Reads on into `buffer`, at most `length` bytes; 0 at the end. */
  read(buffer: Uint8Array, offset: number, length: number): number;
  close(): void;
}

/** Runs `use` on an open member, and closes it. Null when there is no such member. */
export function withMember<T>(members: Members, name: string, use: (member: OpenMember) => T): T | null {
  const member = members.open(name);
  if (member === null) return null;
  try {
    return use(member);
  } finally {
    member.close();
  }
}
