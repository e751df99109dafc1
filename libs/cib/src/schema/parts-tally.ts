import { perPart } from '../document/per-part.js';
import { childElements, childrenNamed, type XmlElement } from '../xml/element.js';
import { examinePart, type ExaminedPart } from './find-mistakes.js';
import { validatePart, type ValidatedPart } from './validate-cib.js';

/** Sections that may have any number of children, of which there are many; each is looked at by itself. */
export const SECTIONS_BY_PART = ['nodes', 'resources', 'constraints'] as const;
type Section = (typeof SECTIONS_BY_PART)[number];

/** What was found of a part, or of all that stands outside of parts. */
export type LookedAt = ValidatedPart & ExaminedPart;

/** What was found of a part stays known with it, and with the section that it stands in. */
const LOOK: Readonly<Record<Section, (part: XmlElement) => LookedAt>> = {
  nodes: perPart((part) => look(part, 'nodes')),
  resources: perPart((part) => look(part, 'resources')),
  constraints: perPart((part) => look(part, 'constraints')),
};

function look(part: XmlElement, section: Section): LookedAt {
  return { ...validatePart(part, section), ...examinePart(part, section) };
}

/** A section as it is counted: there may be several of a name. */
interface CountedSection {
  readonly elements: readonly XmlElement[];
  readonly parts: readonly XmlElement[];
}

const NOTHING: CountedSection = { elements: [], parts: [] };

/** What the parts of a configuration take, give and need together, counted: it turns to another configuration by the parts that went and came. */
export class PartsTally {
  private readonly counted: Record<Section, CountedSection> = { nodes: NOTHING, resources: NOTHING, constraints: NOTHING };
  private wrong = 0;
  private readonly ids = new Needs();
  private readonly targets = new Needs();
  private readonly nodes = new Needs();

  /** Parts. */
  get size(): number {
    return SECTIONS_BY_PART.reduce((sum, section) => sum + this.counted[section].parts.length, 0);
  }

  /** Whether a configuration most likely came from the one that is counted: it has the middle part of one of its sections. */
  sharesWith(configuration: XmlElement): boolean {
    return SECTIONS_BY_PART.some((section) => {
      const parts = childrenNamed(configuration, section).flatMap(childElements);
      const middle = parts[Math.floor(parts.length / 2)];
      return middle !== undefined && this.counted[section].parts.includes(middle);
    });
  }

  /** Costs what differs in the sections that are others than before, and a look along their parts. */
  turnTo(configuration: XmlElement): void {
    for (const section of SECTIONS_BY_PART) {
      const elements = childrenNamed(configuration, section);
      const before = this.counted[section];
      if (areSame(elements, before.elements)) continue;
      const parts = elements.flatMap(childElements);
      this.turn(section, before.parts, parts);
      this.counted[section] = { elements, parts };
    }
  }

  /** Whether nothing is wrong, together with what stands outside of parts. */
  isSoundWith(outline: LookedAt): boolean {
    this.count(outline, 1);
    const { ids, nodes, targets } = this;
    const isSound = this.wrong === 0 && ids.repeated === 0 && nodes.repeated === 0 && ids.missing === 0 && targets.missing === 0;
    this.count(outline, -1);
    return isSound;
  }

  private turn(section: Section, before: readonly XmlElement[], after: readonly XmlElement[]): void {
    const begin = sharedLength(before, after, (index) => index);
    const end = sharedLength(before.slice(begin), after.slice(begin), (index) => -1 - index);
    const times = new Map<XmlElement, number>();
    for (const part of after.slice(begin, after.length - end)) times.set(part, (times.get(part) ?? 0) + 1);
    for (const part of before.slice(begin, before.length - end)) times.set(part, (times.get(part) ?? 0) - 1);
    for (const [part, more] of times) this.count(LOOK[section](part), more);
  }

  private count(found: LookedAt, times: number): void {
    if (times === 0) return;
    if (found.problems.length > 0 || found.mistakes.length > 0) this.wrong += times;
    for (const id of found.ids) this.ids.give(id, times);
    for (const id of found.references) this.ids.need(id, times);
    for (const name of found.nodes) this.nodes.give(name, times);
    for (const target of found.offers) this.targets.give(target, times);
    for (const target of found.asks) this.targets.need(target, times);
  }
}

/** Names that are given and needed, and how often. */
class Needs {
  private readonly given = new Map<string, number>();
  private readonly needed = new Map<string, number>();
  /** Names that are given more than once. */
  repeated = 0;
  /** Names that are needed and not given. */
  missing = 0;

  /** @param times may be negative: no longer */
  give(name: string, times: number): void {
    const before = this.given.get(name) ?? 0;
    const after = before + times;
    if (after === 0) this.given.delete(name);
    else this.given.set(name, after);
    this.repeated += Number(after > 1) - Number(before > 1);
    if (this.needed.has(name)) this.missing += Number(after === 0) - Number(before === 0);
  }

  need(name: string, times: number): void {
    const before = this.needed.get(name) ?? 0;
    const after = before + times;
    if (after === 0) this.needed.delete(name);
    else this.needed.set(name, after);
    if (!this.given.has(name)) this.missing += Number(after > 0) - Number(before > 0);
  }
}

function areSame(one: readonly XmlElement[], other: readonly XmlElement[]): boolean {
  return one.length === other.length && one.every((element, index) => element === other[index]);
}

/** How many of both are the same, from an end on. @param at where the next one stands, as `Array.at` takes it */
function sharedLength(one: readonly XmlElement[], other: readonly XmlElement[], at: (index: number) => number): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.at(at(length)) === other.at(at(length))) length += 1;
  return length;
}
