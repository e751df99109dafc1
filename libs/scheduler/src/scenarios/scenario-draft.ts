import { primitiveIdOf } from '@systole/cib';
import type { XmlElement } from '@systole/cib';

/** A resource of a scenario while it is described. */
export interface ResourceDraft {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly meta: Record<string, string>;
  readonly params: Record<string, string>;
  readonly utilization: Record<string, string>;
  readonly ops: OperationDraft[];
  /** Ids of its children. */
  readonly children: readonly string[];
  /** What stands before the children (container and network of a bundle). */
  readonly before: XmlElement[];
  /** Further sets and whatever else is given as XML. */
  readonly after: XmlElement[];
}

export interface OperationDraft {
  readonly attributes: Readonly<Record<string, string>>;
  readonly sets: XmlElement[];
}

/** A node of a scenario while it is described. */
export interface NodeDraft {
  readonly id: string;
  /** Whether the configuration has an element for it. */
  configured: boolean;
  attributes: Record<string, string>;
  /** Attributes of its `node_state`; undefined when it has none. */
  state: Record<string, string> | undefined;
  readonly permanent: Record<string, string>;
  readonly transient: Record<string, string>;
  readonly utilization: Record<string, string>;
  readonly sets: XmlElement[];
  /** History entries by resource. */
  readonly history: Map<string, Record<string, string>[]>;
  /** Begin of shutdown locks in epoch seconds, by resource. */
  readonly locks: Map<string, string>;
  /** Further elements of its `node_state`. */
  readonly stateExtra: XmlElement[];
}

/** Everything that a scenario says, before it becomes a CIB. */
export interface ScenarioDraft {
  /** Effective time in epoch seconds. */
  now: number;
  /** Attributes of the root; `-` takes one away. */
  readonly root: Record<string, string>;
  readonly options: Record<string, string>;
  readonly defaults: Record<string, string>;
  readonly opDefaults: Record<string, string>;
  readonly nodes: Map<string, NodeDraft>;
  readonly resources: Map<string, ResourceDraft>;
  /** Attributes of an `lrm_resource` that aren't those of the configured resource. */
  readonly recorded: Map<string, Readonly<Record<string, string>>>;
  /** Elements of the sections of that name, beside what the other fields become. */
  readonly sections: Map<string, XmlElement[]>;
  /** A whole document given as XML: then nothing else counts. */
  document: XmlElement | undefined;
}

/** The first moment of every scenario that names no other: 2023-11-14 22:13:20 UTC. */
export const DEFAULT_NOW = 1_700_000_000;

export function emptyDraft(): ScenarioDraft {
  return {
    now: DEFAULT_NOW,
    root: { 'validate-with': 'none', 'have-quorum': '1', 'dc-uuid': 'n1', crm_feature_set: '3.19.0' },
    options: { 'fencing-enabled': 'false' },
    defaults: {},
    opDefaults: {},
    nodes: new Map<string, NodeDraft>(),
    resources: new Map<string, ResourceDraft>(),
    recorded: new Map<string, Readonly<Record<string, string>>>(),
    sections: new Map<string, XmlElement[]>(),
    document: undefined,
  };
}

/** Adds an element to a section of the configuration, or to the status. */
export function addTo(draft: ScenarioDraft, section: string, ...elements: readonly XmlElement[]): void {
  const list = draft.sections.get(section) ?? [];
  draft.sections.set(section, list);
  list.push(...elements);
}

/** The configured resource of that id, or that one of which it is an instance (`p:0`). */
export function configured(draft: ScenarioDraft, id: string): ResourceDraft | undefined {
  return draft.resources.get(id) ?? draft.resources.get(primitiveIdOf(id));
}

/** The same, which must exist. */
export function existing(draft: ScenarioDraft, id: string | undefined): ResourceDraft {
  const found = configured(draft, id ?? '');
  if (!found) throw new Error(`there is no resource "${id ?? ''}" yet`);
  return found;
}

/** The node of that name, configured as a member that is online when nothing was said of it yet. */
export function configuredNode(draft: ScenarioDraft, name: string): NodeDraft {
  const known = draft.nodes.get(name);
  if (known?.configured === true) return known;
  const node = nodeNamed(draft, name);
  node.configured = true;
  node.state = { in_ccm: 'true', crmd: 'online', join: 'member', expected: 'member' };
  return node;
}

/** The node of that name; when nothing was said of it yet, one that only the status knows, as it does remote nodes and guests. */
export function nodeNamed(draft: ScenarioDraft, name: string): NodeDraft {
  const known = draft.nodes.get(name);
  if (known) return known;
  const node: NodeDraft = {
    id: name,
    configured: false,
    attributes: { id: name, uname: name },
    state: { remote_node: 'true' },
    permanent: {},
    transient: {},
    utilization: {},
    sets: [],
    history: new Map<string, Record<string, string>[]>(),
    locks: new Map<string, string>(),
    stateExtra: [],
  };
  draft.nodes.set(name, node);
  return node;
}
