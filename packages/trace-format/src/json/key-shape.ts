import { hasSurrogate, isAscending, sortKeys } from './key-order.js';

/** The keys of an object, in an order in which it had them. */
export interface KeyShape {
  readonly keys: readonly string[];
  /** In code-point order; the very same list where the keys have that order already. */
  readonly sorted: readonly string[];
}

/** Keys on the way to known shapes. More would be a dictionary's, which has no shape that comes again. */
const MAX_NODES = 10_000;
const MAX_KEYS = 64;
const LONGEST_KEY = 128;

/** What follows a list of keys that some shape begins with. */
interface Node {
  shape: KeyShape | null;
  /** Most nodes have one follower; a map would cost more than the sorting that it saves. */
  key: string;
  follower: Node | null;
  others: Map<string, Node> | null;
}

const root = createNode();
let nodes = 0;

/**
 * The shape of an object with these keys: the same for the same keys in the same order, as long as there are not too
 * many. The records of a payload repeat a few shapes, and sorting their keys each time would cost more than
 * anything else that is done with them.
 */
export function keyShapeOf(keys: readonly string[]): KeyShape {
  if (keys.length > MAX_KEYS) return createShape(keys);
  let node = root;
  for (let i = 0; i < keys.length; i++) {
    const next = followerOf(node, keys[i] as string);
    if (next === null) return learn(node, keys, i);
    node = next;
  }
  node.shape ??= createShape(keys);
  return node.shape;
}

function followerOf(node: Node, key: string): Node | null {
  if (node.follower === null) return null;
  return node.key === key ? node.follower : (node.others?.get(key) ?? null);
}

/** Adds the keys from `at` on below the node. */
function learn(node: Node, keys: readonly string[], at: number): KeyShape {
  const shape = createShape(keys);
  if (nodes + keys.length - at > MAX_NODES || keys.some((key) => key.length > LONGEST_KEY)) return shape;
  let last = node;
  for (let i = at; i < keys.length; i++) last = addFollower(last, keys[i] as string);
  last.shape = shape;
  return shape;
}

function addFollower(node: Node, key: string): Node {
  const follower = createNode();
  nodes++;
  if (node.follower === null) {
    node.key = key;
    node.follower = follower;
  } else {
    node.others ??= new Map();
    node.others.set(key, follower);
  }
  return follower;
}

function createNode(): Node {
  return { shape: null, key: '', follower: null, others: null };
}

function createShape(keys: readonly string[]): KeyShape {
  if (isAscending(keys) && !keys.some(hasSurrogate)) return { keys, sorted: keys };
  const sorted = sortKeys([...keys]);
  return { keys, sorted: sorted.every((key, index) => key === keys[index]) ? keys : sorted };
}
