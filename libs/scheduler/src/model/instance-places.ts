import { leaves } from './cluster.js';
import { baseName } from './names.js';
import type { ClusterNode } from './node.js';
import type { Resource } from './resource.js';

/** Instances that are located on one node, in their order. */
interface Bucket {
  readonly instances: Resource[];
  /** How far they were asked for a member, by its base name; a member that is active stays so. */
  readonly scans: Map<string, Scan>;
}

interface Scan {
  /** Those before it have no such member, or an active one. */
  next: number;
  active: boolean;
}

/**
 * Where the instances of one anonymous clone are located (specification 03 §7.2), while history is read: for each history all instances would have to be
 * looked through. An instance that is located stays located somewhere, an active member stays active, a blocked instance blocked.
 */
export class InstancePlaces {
  private readonly located = new Map<Resource, ClusterNode>();
  private readonly buckets = new Map<ClusterNode, Bucket>();
  /** Those before it are located or blocked. */
  private firstFree = 0;
  /** The one whose history is being read: the only one that changes. */
  private changing: Resource | undefined;

  constructor(private readonly clone: Resource) {
    for (const instance of clone.children) this.locate(instance);
  }

  /** The history of that primitive will be read next. */
  expectChange(member: Resource): void {
    this.changing = member.parent === this.clone ? member : member.parent;
  }

  /** The first inactive member of that base name among instances located on a node; `none-left` when there are only active ones. */
  inactiveOn(node: ClusterNode, base: string): Resource | 'none-left' | undefined {
    this.catchUp();
    const bucket = this.buckets.get(node);
    if (!bucket) return undefined;
    let scan = bucket.scans.get(base);
    if (!scan) bucket.scans.set(base, (scan = { next: 0, active: false }));
    for (; scan.next < bucket.instances.length; scan.next++) {
      const instance = bucket.instances[scan.next];
      const member = instance && memberFor(instance, base);
      if (!member) continue;
      if (member.activeOn.length === 0) return member;
      scan.active = true;
    }
    return scan.active ? 'none-left' : undefined;
  }

  /** The member of that base name in the first instance that is located nowhere and not blocked. */
  unlocated(base: string): Resource | undefined {
    this.catchUp();
    const { children } = this.clone;
    for (let place = this.firstFree; place < children.length; place++) {
      const instance = children[place];
      if (!instance || this.located.has(instance) || instance.blocked) {
        if (place === this.firstFree) this.firstFree++;
        continue;
      }
      const member = memberFor(instance, base);
      if (member) return member;
    }
    return undefined;
  }

  private catchUp(): void {
    if (this.changing) this.locate(this.changing);
    this.changing = undefined;
  }

  private locate(instance: Resource): void {
    const node = firstLocation(instance);
    const before = this.located.get(instance);
    if (!node || node === before) return;
    this.located.set(instance, node);
    const left = before && this.buckets.get(before);
    if (left) {
      left.instances.splice(left.instances.indexOf(instance), 1);
      left.scans.clear();
    }
    let bucket = this.buckets.get(node);
    if (!bucket) this.buckets.set(node, (bucket = { instances: [], scans: new Map() }));
    const { instances, scans } = bucket;
    const place = instances.findLastIndex((other) => other.number < instance.number) + 1;
    if (place < instances.length) scans.clear();
    instances.splice(place, 0, instance);
  }
}

/** Nodes where an instance is located: where its primitives are active, then where they have something pending. */
function firstLocation(instance: Resource): ClusterNode | undefined {
  for (const { activeOn, pendingNode } of leaves(instance)) {
    const location = activeOn[0] ?? pendingNode;
    if (location) return location;
  }
  return undefined;
}

/** The primitive of an instance that goes by that base name. */
export function memberFor(instance: Resource, base: string): Resource | undefined {
  for (const member of leaves(instance)) {
    // The base name of an id is its beginning, and most are told apart by that.
    if (member.xmlId === base || (member.id.startsWith(base) && baseName(member.id) === base)) return member;
  }
  return undefined;
}
