import type { CibProblem } from '../document/cib-refused.js';
import { descendants } from '../document/cib-index.js';
import { placeOfRoot, walkWithPlaces, type Place } from '../schema/problem-path.js';
import type { XmlElement } from '../xml/element.js';

/**
 * What became of something in an upgrade. `rewritten`: the document says the same in the newer syntax; `dropped`: it is not said any more; `check`: what
 * counts now may not be what was meant.
 */
export const UPGRADE_CHANGE_KINDS = ['rewritten', 'dropped', 'check'] as const;

/** One thing that the upgrade of an older document changed, and where it stood. */
export interface UpgradeChange {
  readonly kind: (typeof UPGRADE_CHANGE_KINDS)[number];
  /** Of the element in the document as it was read; of one that the upgrade made itself, of the nearest that it was made from. */
  readonly path: string;
  /** The element's name, as it was when this was changed. */
  readonly element: string;
  readonly id: string | undefined;
  /** Line of the start tag, from 1; undefined for a document that was made and not read. */
  readonly line: number | undefined;
  /** What was there, and what is there now. */
  readonly message: string;
}

interface Said {
  readonly source: XmlElement;
  readonly message: string;
}

/** Takes down what an upgrade changes and what it can't change, and says where that stood. */
export class UpgradeLog {
  private readonly said: (Said & Pick<UpgradeChange, 'kind'>)[] = [];
  private readonly refused: (Said & Pick<CibProblem, 'attribute'>)[] = [];

  rewritten(source: XmlElement, message: string): void {
    this.said.push({ kind: 'rewritten', source, message });
  }

  dropped(source: XmlElement, message: string): void {
    this.said.push({ kind: 'dropped', source, message });
  }

  /** Says of all that is in an element, too, that it goes with it. */
  droppedWhole(source: XmlElement, message: string): void {
    this.dropped(source, `${tagOf(source)}: ${message}`);
    for (const inner of descendants(source)) if (inner !== source) this.dropped(inner, `${tagOf(inner)} goes with ${tagOf(source)}`);
  }

  check(source: XmlElement, message: string): void {
    this.said.push({ kind: 'check', source, message });
  }

  /** What can't be upgraded: the document is refused with all of it. */
  refuse(source: XmlElement, attribute: string, message: string): void {
    this.refused.push({ source, attribute, message: `${attribute}: ${message}` });
  }

  /** @param original the document as it was read, whose places are told */
  changesOf(original: XmlElement): readonly UpgradeChange[] {
    const places = new Places(original, this.said);
    return this.said.map(({ kind, source, message }) => ({ kind, ...places.of(source), message }));
  }

  /** @param original the document as it was read, whose places are told */
  problemsOf(original: XmlElement): readonly CibProblem[] {
    const places = new Places(original, this.refused);
    return this.refused.map(({ source, message, attribute }) => ({
      ...places.of(source),
      message,
      ...(attribute === undefined ? {} : { attribute }),
    }));
  }
}

/** Where elements stood that an upgrade has meanwhile made anew: it keeps their lines, and mostly their names and ids. */
class Places {
  private readonly exact = new Map<string, Place>();
  private readonly byId = new Map<string, Place>();
  /** Of those that are the only ones of their name on their line. */
  private readonly byLine = new Map<string, Place | undefined>();
  private readonly root: Place;

  constructor(original: XmlElement, said: readonly Said[]) {
    this.root = placeOfRoot(original, `/${original.name}`);
    // Mostly only the schema's name changed, and nothing has to be looked for.
    if (said.every(({ source }) => source === original)) return;
    walkWithPlaces(original, this.root, ({ name, line, attributes }, place) => {
      const { id } = attributes;
      keepFirst(this.exact, exactKey(name, id, line), place);
      if (id !== undefined) keepFirst(this.byId, id, place);
      if (line === undefined) return;
      const key = exactKey(name, undefined, line);
      this.byLine.set(key, this.byLine.has(key) ? undefined : place);
    });
  }

  of({ name, line, attributes }: XmlElement): Pick<UpgradeChange, 'path' | 'element' | 'id' | 'line'> {
    const { id } = attributes;
    const found =
      this.exact.get(exactKey(name, id, line)) ??
      (id === undefined ? undefined : this.byId.get(id)) ??
      this.byLine.get(exactKey(name, undefined, line)) ??
      this.root;
    return { path: found.path, element: name, id, line: line ?? found.line };
  }
}

/** An element's start tag. */
function tagOf({ name, attributes }: XmlElement): string {
  const given = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${value}"`);
  return `<${name}${given.join('')}>`;
}

function exactKey(name: string, id: string | undefined, line: number | undefined): string {
  return JSON.stringify([name, id, line]);
}

function keepFirst(places: Map<string, Place>, key: string, place: Place): void {
  if (!places.has(key)) places.set(key, place);
}
