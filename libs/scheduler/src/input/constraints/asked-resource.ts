import type { RuleInput } from '@systole/cib';
import { parameters } from '../../operations/parameters.js';
import type { Cluster } from '../../model/cluster.js';
import type { ClusterNode } from '../../model/node.js';
import type { Resource } from '../../model/resource.js';

/** Groups of a pattern's match, the whole match first; undefined: no pattern named the resource. */
export type Submatches = readonly (string | undefined)[] | undefined;

/** A resource as a rule asks about it. What was found out without asking holds for every other resource, too. */
export class AskedResource {
  private asked = false;

  constructor(
    private readonly cluster: Cluster,
    private readonly resource: Resource,
    private readonly groups: Submatches,
  ) {}

  /** Whether anybody has asked yet. */
  get counts(): boolean {
    return this.asked;
  }

  get submatches(): Submatches {
    this.asked = true;
    return this.groups;
  }

  get meta(): ReadonlyMap<string, string> {
    this.asked = true;
    return this.resource.meta;
  }

  /** As evaluated for a node. */
  parameters(node: ClusterNode): ReadonlyMap<string, string> {
    this.asked = true;
    return parameters(this.cluster, this.resource, node);
  }
}

/** A resource on a node, for a rule: what the rule does not look at is not asked. */
export class AskedOnNode implements RuleInput {
  constructor(
    private readonly asked: AskedResource,
    private readonly node: ClusterNode,
  ) {}

  get nodeAttributes(): ReadonlyMap<string, string> {
    return this.node.attributes;
  }

  get parameters(): ReadonlyMap<string, string> {
    return this.asked.parameters(this.node);
  }

  get metaAttributes(): ReadonlyMap<string, string> {
    return this.asked.meta;
  }

  get submatches(): Submatches {
    return this.asked.submatches;
  }
}
