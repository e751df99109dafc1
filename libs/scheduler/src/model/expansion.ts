import { MOST_REPLICAS, tooLarge, type XmlElement } from '@systole/cib';

/** Most resources of a cluster: instances, replicas and what they are made of included. */
const MOST_RESOURCES = 100_000;
/** Most pairs of a resource and a node. Each has a score, and several phases look at every pair. */
const MOST_PLACES = 50_000_000;
/** Most pairs of resources that constraints may relate: sets of n and m members relate up to n × m. */
const MOST_PAIRS = 500_000;
/** Most members that sets may have, templates and tags resolved. */
const MOST_MEMBERS = 1_000_000;

/**
 * Counts what a configuration stands for, and refuses it before it takes all memory: a number in a meta-attribute, two long sets or tags of tags
 * need a few letters each to ask for millions.
 */
export class Expansion {
  private resources = 0;
  private nodes = 0;
  private pairs = 0;
  private members = 0;
  /** The constraint that is being read. */
  private constraint: XmlElement;

  constructor(private readonly document: XmlElement) {
    this.constraint = document;
  }

  /** What is counted from now on is because of that constraint. */
  enterConstraint(constraint: XmlElement): void {
    this.constraint = constraint;
  }

  /**
   * @param because what asks for it: the collective that it becomes a part of, or its own element.
   * @throws {CibRefused} `too-large`.
   */
  addResource(because: XmlElement): void {
    this.resources++;
    this.expectResources(because, 0);
  }

  /**
   * Refuses in advance what would become too much by so many resources more.
   *
   * @param written what asks for them, as somebody wrote it: a number that nobody wrote would be looked for in vain.
   * @throws {CibRefused} `too-large`.
   */
  expectResources(because: XmlElement, count: number, written?: string): void {
    this.requirePlaces(because, this.resources + count, written);
    if (this.resources + count <= MOST_RESOURCES) return;
    const are = written === undefined ? 'there are' : `${written} makes`;
    const what = `${are} more than ${MOST_RESOURCES} resources, instances included: lower clone-max or replicas`;
    throw tooLarge(this.document, because, what);
  }

  /** @throws {CibRefused} `too-large`. */
  expectReplicas(bundle: XmlElement, count: number): void {
    if (count > MOST_REPLICAS) throw tooLarge(this.document, bundle, `a bundle has at most ${MOST_REPLICAS} replicas: lower replicas`);
  }

  /** @throws {CibRefused} `too-large`. */
  addNode(): void {
    this.nodes++;
    this.requirePlaces(this.document, this.resources);
  }

  /** @throws {CibRefused} `too-large`. */
  addPairs(count: number): void {
    this.pairs += count;
    if (this.pairs <= MOST_PAIRS) return;
    const what = `constraints relate more than ${MOST_PAIRS} pairs of resources: make sets smaller or sequential`;
    throw tooLarge(this.document, this.constraint, what);
  }

  /** @throws {CibRefused} `too-large`. */
  addMembers(count: number): void {
    this.members += count;
    if (this.members <= MOST_MEMBERS) return;
    const what = `sets have more than ${MOST_MEMBERS} members, tags resolved: make sets or tags smaller`;
    throw tooLarge(this.document, this.constraint, what);
  }

  private requirePlaces(because: XmlElement, resources: number, written?: string): void {
    if (this.nodes * resources <= MOST_PLACES) return;
    const are =
      written === undefined
        ? `${this.nodes} nodes and ${resources} resources, instances included, are too many`
        : `${written} is too much for ${this.nodes} nodes`;
    const what = `${are}: lower clone-max, or make several clusters of it`;
    throw tooLarge(this.document, because, what);
  }
}
