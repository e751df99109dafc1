import type { XmlElement } from '@systole/cib';
import type { CibContext } from './cib-context.js';
import type { Action } from './action.js';
import { CandidateTable, ProbeMode } from './candidates.js';
import type { Colocation, LocationConstraint, Ticket } from './constraints.js';
import type { OperationDigests } from './operation-digests.js';
import { HistoryArchive } from './history-archive.js';
import { type OperationMemory, operationMemoryOf } from './operation-memory.js';
import type { HistoryEntry } from './history-entry.js';
import type { ClonePoints } from './notify-points.js';
import { Expansion } from './expansion.js';
import type { Following } from './following.js';
import { compareNatural } from './names.js';
import { ClusterNode } from './node.js';
import type { ClusterOptions } from './cluster-options.js';
import type { OrderingRequest } from './ordering-request.js';
import type { Resource } from './resource.js';
import { ResourceNames } from './resource-names.js';
import { clampScore } from './score.js';
import type { Placement } from './placement.js';
import { NODE_SCORE, type ScoreCause } from './score-trail.js';
import type { ScoreRecord } from './score-record.js';

/** One entry of the list of failed operations (specification 03 §7.10). */
export interface FailedOperation {
  readonly element: XmlElement;
  readonly key: string;
  readonly node: ClusterNode;
  readonly resource: Resource;
}

/** A comparison of history with the configuration that is made after placement. */
export interface DeferredCheck {
  readonly kind: 'active' | 'last-failure';
  readonly resource: Resource;
  readonly node: ClusterNode;
  readonly entry: HistoryEntry;
}

export interface Message {
  readonly level: 'error' | 'warning' | 'info';
  readonly text: string;
}

/** The whole state of one run: everything that the phases share. It never leaves the run; results are projected to plain data. */
export class Cluster {
  /** Sorted by name, the order of every "for each node" (specification 03 §1.1). */
  readonly nodes: ClusterNode[] = [];
  /** By index of the candidate tables. */
  readonly nodesByIndex: ClusterNode[] = [];
  /** Top-level resources, in their present order. */
  resources: Resource[] = [];
  readonly resourceNames = new ResourceNames(() => this.resources);
  /** Ids, as written, of the primitives made from a template, by the template's id (specification 01 §9). */
  readonly templateUsers = new Map<string, Set<string>>();
  readonly tags = new Map<string, string[]>();
  readonly tickets = new Map<string, Ticket>();
  /** In the order of creation. */
  locations: LocationConstraint[] = [];
  readonly requests: OrderingRequest[] = [];
  /** In the order of creation. */
  readonly actions: Action[] = [];
  /** Actions without a resource, by key. */
  readonly nodeActions = new Map<string, Action>();
  readonly history: HistoryArchive;
  /** What earlier runs found of the operations of this very configuration; undefined where that need not hold any more. */
  readonly operationMemory: OperationMemory | undefined;
  /** Digests per node and operation, by the resource's id (specification 03 §12.2). */
  readonly digests = new Map<string, OperationDigests[]>();
  readonly failedOperations: FailedOperation[] = [];
  readonly failedKeys = new Set<string>();
  /** Checks that wait for the address of a bundle node (specification 03 §12.7). */
  readonly deferredChecks: DeferredCheck[] = [];
  /**
   * How many merges of scores may still be made. Colocations that lead from one resource to another in two ways double the chains with each
   * step, so that a configuration could otherwise keep the scheduler busy for ever; no sensible one comes near these numbers. Steps are colocations
   * gathered or looked at on the way: thousands between the same two resources are tried in vain again and again.
   */
  readonly merges = { left: 2_000_000, perChain: 10_000, steps: 20_000_000, warned: false };
  /** What was found of colocations while scores were merged, by the factor with which they count: 1, or -1. */
  readonly followings = {
    dependents: { together: new Map<Colocation, Following>(), apart: new Map<Colocation, Following>() },
    primaries: { together: new Map<Colocation, Following>(), apart: new Map<Colocation, Following>() },
  };
  /** Notification points of notify-enabled clones (specification 07 §8.1). */
  readonly notifyPoints = new Map<Resource, ClonePoints>();
  readonly scores: ScoreRecord[] = [];
  /** Utilization enters the score listing, too. */
  recordUtilization = false;
  readonly messages: Message[] = [];
  /** How each primitive's node was chosen, where that is asked for. */
  readonly placements = new Map<Resource, Placement>();
  hasRemoteNodes = false;
  /** A resource of class `stonith` exists. */
  hasFenceDevices = false;
  usesUnfencing = false;
  /** Candidate entries of ordinary resources in a symmetric cluster. */
  private defaults: CandidateTable | undefined;
  /** How much the configuration has grown to. */
  readonly expansion: Expansion;
  private readonly nodesById = new Map<string, ClusterNode[]>();
  private readonly nodesByName = new Map<string, ClusterNode[]>();

  constructor(
    readonly cib: CibContext,
    readonly options: ClusterOptions,
    readonly quorate: boolean,
    readonly recordScores: boolean,
    /** What scores are made of, and why actions are needed, is remembered. */
    readonly explains: boolean,
  ) {
    this.expansion = new Expansion(cib.document);
    this.operationMemory = operationMemoryOf(cib);
    this.history = new HistoryArchive(cib.firstNamed('status'));
  }

  /** Effective time in epoch seconds. */
  get now(): number {
    return this.cib.now;
  }

  /** Reads a score; the words red, yellow and green count as the health options say (specification 01 §10.1). Undefined when invalid. */
  score(text: string): number | undefined {
    return this.cib.score(text, this.options.healthWords);
  }

  proposeRecheck(time: number): void {
    this.cib.proposeRecheck(time);
  }

  warn(text: string): void {
    this.messages.push({ level: 'warning', text });
  }

  /** Enters a note where the listing has got to; also in a listing without scores (specification 08 §5.5). */
  note(text: string): void {
    this.scores.push({ note: text });
  }

  error(text: string): void {
    this.messages.push({ level: 'error', text });
  }

  /** Creates a node and puts it at its place in the node list (specification 03 §1.1). */
  addNode(id: string, name: string, remoteType: boolean, baseScore: number): ClusterNode {
    this.expansion.addNode();
    const node = new ClusterNode(this.nodesByIndex.length, id, name, remoteType, baseScore);
    this.nodesByIndex.push(node);
    let low = 0;
    let high = this.nodes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareNatural((this.nodes[middle] as ClusterNode).name, name) < 0) low = middle + 1;
      else high = middle;
    }
    this.nodes.splice(low, 0, node);
    prepend(this.nodesById, id.toLowerCase(), node);
    prepend(this.nodesByName, name.toLowerCase(), node);
    if (remoteType) this.hasRemoteNodes = true;
    this.defaults = undefined;
    return node;
  }

  /** First node in list order with that id, case ignored. */
  nodeById(id: string): ClusterNode | undefined {
    return this.firstListed(this.nodesById.get(id.toLowerCase()));
  }

  /** First node in list order with that name, case ignored. */
  nodeByName(name: string): ClusterNode | undefined {
    return this.firstListed(this.nodesByName.get(name.toLowerCase()));
  }

  ticket(id: string): Ticket {
    let ticket = this.tickets.get(id);
    if (!ticket) {
      ticket = { id, granted: false, standby: false };
      this.tickets.set(id, ticket);
    }
    return ticket;
  }

  /** Every primitive of the tree, depth first. */
  *primitives(): Generator<Resource> {
    for (const resource of this.resources) yield* leaves(resource);
  }

  /** Candidates of an ordinary resource in a symmetric cluster: every node that isn't "never" (specification 02 §1.1). */
  defaultCandidates(): CandidateTable {
    if (!this.defaults) {
      this.defaults = this.emptyTable();
      for (const node of this.nodesByIndex) {
        if (node.probeMode !== ProbeMode.Never) this.defaults.put(node.index, clampScore(node.baseScore), node.probeMode, NODE_SCORE);
      }
    }
    return this.defaults.copy();
  }

  /** A candidate table without entries, traced if this run explains. */
  emptyTable(): CandidateTable {
    return new CandidateTable(this.nodesByIndex.length, this.explains);
  }

  /** Must be called when a node's base score or probe mode changes. */
  forgetDefaults(): void {
    this.defaults = undefined;
  }

  private firstListed(found: ClusterNode[] | undefined): ClusterNode | undefined {
    return found?.[0];
  }
}

/** A resource and those below it: to be written, or to be read only. */
interface Tree<Part> extends Pick<Resource, 'kind' | 'isPrimitive'> {
  readonly children: readonly Part[];
}

/** The primitives of a resource, depth first. */
export function leaves<Part extends Tree<Part>>(resource: Part): Iterable<Part> {
  const { kind, children } = resource;
  if (kind === 'primitive') return [resource];
  // Members are primitives, and instances of one clone are all of one kind.
  return kind === 'group' || (kind === 'clone' && children[0]?.isPrimitive) ? children : leavesBelow(resource);
}

function* leavesBelow<Part extends Tree<Part>>({ children }: Part): Generator<Part> {
  for (const child of children) yield* leaves(child);
}

/** The resource and all its descendants, depth first, parents first. */
export function* subtree<Part extends Tree<Part>>(resource: Part): Generator<Part> {
  yield resource;
  for (const child of resource.children) yield* subtree(child);
}

/** Adds a score to a resource on a node, to its children first (specification 04 §2.5 rule 3); missing entries are made. */
export function addPreference(resource: Resource, node: ClusterNode, score: number, cause: ScoreCause): void {
  for (const child of resource.children) addPreference(child, node, score, cause);
  const table = resource.candidates;
  if (!table.has(node.index)) table.put(node.index, clampScore(node.baseScore), node.probeMode, NODE_SCORE);
  table.addScore(node.index, score, cause);
}

/** The same on every node. */
export function addPreferenceEverywhere(cluster: Cluster, resource: Resource, score: number, cause: ScoreCause): void {
  for (const node of cluster.nodes) addPreference(resource, node, score, cause);
}

function prepend(map: Map<string, ClusterNode[]>, key: string, node: ClusterNode): void {
  const list = map.get(key);
  // A node is listed before an equal one (specification 03 §1.1).
  if (list) list.unshift(node);
  else map.set(key, [node]);
}
