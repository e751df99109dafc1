import { OCF } from '@systole/ocf';
import { childElements, childrenNamed, firstChildNamed, parseXml, type XmlElement } from '@systole/cib';

/** A node as its peers see it. */
export interface NodeView {
  readonly id: string;
  readonly name: string;
  readonly online: boolean;
}

/** A resource that has an agent. */
export interface PrimitiveView {
  readonly id: string;
  /** `ocf:heartbeat:pgsql`, `lsb:web`. */
  readonly agent: string;
  readonly managed: boolean;
  /** Inside a promotable clone. */
  readonly promotable: boolean;
}

/** What a resource is on a node, according to its history. */
export type Role = 'Stopped' | 'Started' | 'Promoted';

/** Read-only questions about a CIB document, as far as the tools for resource agents ask them. */
export class CibView {
  private constructor(readonly document: XmlElement) {}

  static parse(xml: string): CibView {
    return new CibView(parseXml(xml));
  }

  get quorate(): boolean {
    return ['1', 'true'].includes(this.document.attributes['have-quorum'] ?? '');
  }

  /** A section by its name: `configuration` or `status` themselves, or a child of `configuration`. */
  section(name: string): XmlElement | undefined {
    if (name === 'cib') return this.document;
    return firstChildNamed(this.document, name) ?? this.configuration(name);
  }

  nodes(): NodeView[] {
    return childrenNamed(this.configuration('nodes') ?? EMPTY, 'node').map((node) => {
      const id = node.attributes['id'] ?? '';
      const name = node.attributes['uname'] ?? id;
      const state = this.nodeState(name);
      const online = state?.attributes['crmd'] === 'online' || Number(state?.attributes['crmd'] ?? 0) > 0;
      return { id, name, online: online && state?.attributes['join'] === 'member' };
    });
  }

  nodeState(node: string): XmlElement | undefined {
    return childrenNamed(firstChildNamed(this.document, 'status') ?? EMPTY, 'node_state').find(
      (state) => state.attributes['uname'] === node || state.attributes['id'] === node,
    );
  }

  /** A node attribute: `reboot` from the status, `forever` from the configuration. */
  nodeAttribute(node: string, name: string, lifetime: 'forever' | 'reboot'): string | undefined {
    const owner =
      lifetime === 'reboot'
        ? firstChildNamed(this.nodeState(node) ?? EMPTY, 'transient_attributes')
        : childrenNamed(this.configuration('nodes') ?? EMPTY, 'node').find(
            ({ attributes }) => attributes['uname'] === node || attributes['id'] === node,
          );
    return nvpair(owner, 'instance_attributes', name);
  }

  /** All transient attributes of a node. */
  transientAttributes(node: string): Record<string, string> {
    const sets = childrenNamed(firstChildNamed(this.nodeState(node) ?? EMPTY, 'transient_attributes') ?? EMPTY, 'instance_attributes');
    const pairs = sets.flatMap((set) => childrenNamed(set, 'nvpair'));
    return Object.fromEntries(pairs.map(({ attributes }) => [attributes['name'] ?? '', attributes['value'] ?? '']));
  }

  utilization(node: string, name: string): string | undefined {
    const owner = childrenNamed(this.configuration('nodes') ?? EMPTY, 'node').find(({ attributes }) => attributes['uname'] === node);
    return nvpair(owner, 'utilization', name);
  }

  /** A cluster option. */
  clusterOption(name: string): string | undefined {
    return nvpair(this.configuration('crm_config'), 'cluster_property_set', name);
  }

  /** An instance attribute or meta-attribute of a resource as configured, without rules and templates. */
  resourceAttribute(resource: string, set: 'instance_attributes' | 'meta_attributes' | 'utilization', name: string): string | undefined {
    return nvpair(find(this.configuration('resources') ?? EMPTY, resource), set, name);
  }

  /** Names of the online nodes where the resource (or an instance of it) is active. */
  activeOn(resource: string): string[] {
    return this.nodes()
      .filter(({ name, online }) => online && this.role(name, resource) !== 'Stopped')
      .map((node) => node.name);
  }

  role(node: string, resource: string): Role {
    const roles = childrenNamed(this.history(node), 'lrm_resource')
      .filter((history) => isOf(history, resource))
      .map(roleOf);
    return roles.find((role) => role === 'Promoted') ?? roles.find((role) => role === 'Started') ?? 'Stopped';
  }

  /** All primitives, in the order of the configuration. */
  primitives(): PrimitiveView[] {
    return primitivesOf(this.configuration('resources') ?? EMPTY, false);
  }

  private history(node: string): XmlElement {
    const lrm = firstChildNamed(this.nodeState(node) ?? EMPTY, 'lrm') ?? EMPTY;
    return firstChildNamed(lrm, 'lrm_resources') ?? EMPTY;
  }

  private configuration(section: string): XmlElement | undefined {
    return firstChildNamed(firstChildNamed(this.document, 'configuration') ?? EMPTY, section);
  }
}

const EMPTY: XmlElement = { kind: 'element', name: '', attributes: {}, children: [] };

function isOf(history: XmlElement, resource: string): boolean {
  const id = history.attributes['id'] ?? '';
  return id === resource || id.startsWith(`${resource}:`);
}

/** Follows the operations in the order in which they were run; of each kind the history keeps the latest. */
function roleOf(history: XmlElement): Role {
  const callId = ({ attributes }: XmlElement): number => Number(attributes['call-id'] ?? 0);
  return childrenNamed(history, 'lrm_rsc_op')
    .filter(({ attributes }) => attributes['op-status'] !== '-1')
    .sort((a, b) => callId(a) - callId(b))
    .reduce<Role>((role, { attributes }) => roleAfter(role, attributes['operation'] ?? '', Number(attributes['rc-code'])), 'Stopped');
}

function roleAfter(role: Role, operation: string, rc: number): Role {
  switch (operation) {
    case 'start':
    case 'migrate_from':
    case 'demote':
      return 'Started';
    case 'promote':
      return rc === OCF.SUCCESS ? 'Promoted' : role;
    case 'stop':
      return rc === OCF.SUCCESS ? 'Stopped' : role;
    case 'monitor':
      if (rc === OCF.NOT_RUNNING || rc === OCF.ERR_INSTALLED) return 'Stopped';
      if (rc === OCF.RUNNING_PROMOTED || rc === OCF.DEGRADED_PROMOTED || rc === OCF.FAILED_PROMOTED) return 'Promoted';
      return 'Started';
    default:
      return role;
  }
}

function primitivesOf(parent: XmlElement, promotable: boolean): PrimitiveView[] {
  return childElements(parent).flatMap((child) => {
    const isPromotable = promotable || child.name === 'master' || nvpair(child, 'meta_attributes', 'promotable') === 'true';
    if (child.name !== 'primitive') return primitivesOf(child, isPromotable);
    const { id = '', class: standard = '', provider, type = '' } = child.attributes;
    const agent = [standard, provider, type].filter((part) => part !== undefined).join(':');
    return [{ id, agent, managed: nvpair(child, 'meta_attributes', 'is-managed') !== 'false', promotable: isPromotable }];
  });
}

function nvpair(owner: XmlElement | undefined, set: string, name: string): string | undefined {
  for (const attributes of childrenNamed(owner ?? EMPTY, set)) {
    const pair = childrenNamed(attributes, 'nvpair').find((one) => one.attributes['name'] === name);
    if (pair !== undefined) return pair.attributes['value'];
  }
  return undefined;
}

function find(parent: XmlElement, id: string): XmlElement | undefined {
  for (const child of childElements(parent)) {
    if (child.attributes['id'] === id) return child;
    const deeper = find(child, id);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}
