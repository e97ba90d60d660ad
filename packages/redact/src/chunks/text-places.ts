import { AssembledText, type ReadSession } from './assembled-text.js';
import { Recent } from './recent.js';
import type { TextIdentity } from './text-identity.js';
import { TextPiece } from './text-piece.js';

/** Texts that are put together; beyond, those that were not seen for longest begin anew. */
const MAX_TEXTS = 1024;

/** Secrets of which it is not known whether they are whole; beyond, they are not remembered. */
const MAX_DOUBTFUL = 1024;

/** What tells the texts at one flat place apart. */
type View = 'positions' | 'numbers' | 'ids' | 'both' | 'labels';

/** A text, told from others by as much as the views on the way to it say. */
interface Place {
  readonly name: string;
  readonly parent: Place | null;
  text: AssembledText;
  /** By view: the only text that it told so far, which needs no assembling of its own; null once there are several. */
  readonly single: Map<View, { readonly mark: string; readonly place: Place } | null>;
  /** By what tells texts in it apart: the last one. */
  readonly last: Map<View, Place>;
}

/**
 * The texts of a stream. A piece is a part of several: of all that stood at its place, whatever the objects around it
 * say of themselves, and of those that are told apart by its position, its numbers, its ids, both, and everything. A
 * secret in any of them is one. As long as a view has told no text from another, it is assembled only once.
 */
export class TextPlaces {
  readonly #session: ReadSession;
  readonly #learn: ReadSession['learn'];
  readonly #places = new Recent<Place>(MAX_TEXTS);
  /** What is not learned yet: it may have been cut short, or go on, by another text. */
  readonly #doubtful: { readonly text: AssembledText; readonly secrets: readonly string[] }[] = [];
  #isFinishing = false;

  constructor(session: ReadSession) {
    this.#learn = session.learn;
    this.#session = {
      ...session,
      learn: (secrets, text) => {
        if (!text.isMixed && !this.#isFinishing) session.learn(secrets, text);
        else if (this.#doubtful.length < MAX_DOUBTFUL) this.#doubtful.push({ text, secrets });
      },
    };
  }

  /** Looks at texts as if nothing followed. What was not found to be several texts is taken for one. */
  finish(texts: Iterable<AssembledText>): void {
    this.#isFinishing = true;
    for (const text of texts) text.finish();
    this.#isFinishing = false;
    for (const { text, secrets } of this.#doubtful.splice(0)) if (!text.isSeveral) this.#learn(secrets, text);
  }

  /** The next piece of a text. */
  add({ flat, positions, numbers, ids, labels }: TextIdentity, text: string): TextPiece {
    const root = this.#at(flat, null);
    const places = [root];
    const below = (parent: Place, view: View, mark: string): Place => {
      if (mark === '') return parent;
      const place = this.#below(parent, view, mark);
      places.push(place);
      if (view !== 'positions') note(parent, view, place);
      return place;
    };
    const byPosition = below(root, 'positions', positions);
    const byIds = below(root, 'ids', ids);
    const byNumbers = below(root, 'numbers', numbers);
    const byBoth = byNumbers === root ? byIds : below(byNumbers, 'both', ids);
    if (byBoth !== byIds && byBoth !== byNumbers) note(byIds, 'both', byBoth);
    const byAll = below(byBoth, 'labels', labels);
    if (byAll !== byBoth && byBoth !== root) note(root, 'labels', byAll);
    const own = byAll === root ? byPosition : byAll;
    const texts = new Set(places.map((place) => place.text));
    for (const one of texts) one.isMixed ||= one !== own.text;
    return pieceOf(own, texts, text);
  }

  #at(name: string, parent: Place | null): Place {
    return this.#places.get(name, () => ({
      name,
      parent,
      text: new AssembledText(this.#session),
      single: new Map(),
      last: new Map(),
    }));
  }

  #below(parent: Place, view: View, mark: string): Place {
    const single = parent.single.get(view);
    if (single === undefined) {
      const place = {
        name: nameBelow(parent, view, mark),
        parent,
        text: parent.text,
        single: new Map(),
        last: new Map(),
      };
      parent.single.set(view, { mark, place });
      return place;
    }
    if (single?.mark === mark) return single.place;
    if (single !== null) {
      part(single.place, parent.text);
      this.#places.put(single.place.name, single.place);
      parent.single.set(view, null);
    }
    return this.#at(nameBelow(parent, view, mark), parent);
  }
}

function nameBelow({ name }: Place, view: View, mark: string): string {
  return `${name}\n${view} ${mark}`;
}

/** From here on a text is one of several, with a past that it shares with all of them. */
function part(place: Place, shared: AssembledText): void {
  const fork = shared.fork();
  for (const piece of shared.pieces) {
    piece.joinsFork(shared, fork);
    fork.pieces.add(piece);
  }
  move(place, shared, fork);
}

function move(place: Place, from: AssembledText, to: AssembledText): void {
  if (place.text !== from) return;
  place.text = to;
  for (const below of place.single.values()) if (below !== null) move(below.place, from, to);
}

/** What is heard of again after another was heard of is a text of its own beyond doubt. */
function note(parent: Place, view: View, place: Place): void {
  const last = parent.last.get(view);
  parent.last.set(view, place);
  if (last === undefined || last.name === place.name || place.text === parent.text) return;
  if (!place.text.isEmpty) parent.text.isSeveral = true;
}

function pieceOf(own: Place, texts: ReadonlySet<AssembledText>, content: string): TextPiece {
  const piece = new TextPiece(own, content);
  for (const text of texts) {
    piece.joins(text, text.add(content));
    text.pieces.add(piece);
  }
  return piece;
}
