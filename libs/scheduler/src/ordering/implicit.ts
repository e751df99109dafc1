import { addColocation } from '../requests/colocations.js';
import type { Cluster } from '../model/cluster.js';
import { Kind } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';
import { INFINITY } from '../model/score.js';
import { sortByNumber } from '../placement/instance-order.js';
import { isActive } from '../model/activity.js';
import { orderPrimitive } from './implicit-primitive.js';
import { orderTasks } from '../requests/ordering-requests.js';

/** The orderings and colocations that resources bring with them (specification 07 §7). */
export function orderImplicitly(cluster: Cluster): void {
  for (const resource of cluster.resources) orderResource(cluster, resource);
}

function orderResource(cluster: Cluster, resource: Resource): void {
  switch (resource.kind) {
    case 'primitive':
      orderPrimitive(cluster, resource);
      break;
    case 'group':
      orderGroup(cluster, resource);
      break;
    case 'clone':
      orderClone(cluster, resource);
      break;
    case 'bundle':
      orderBundle(cluster, resource);
  }
}

/** Specification 07 §7.2. */
function orderGroup(cluster: Cluster, group: Resource): void {
  const order = (first: Resource, firstTask: string, then: Resource, thenTask: string, kinds: number): void => {
    orderTasks(cluster, first, firstTask, then, thenTask, kinds);
  };
  order(group, 'stop', group, 'stopped', Kind.blockThen);
  order(group, 'stopped', group, 'start', Kind.seq);
  order(group, 'start', group, 'running', Kind.blockThen);
  const promotable = group.top.promotable;
  let previous: Resource | undefined;
  let lastActive: Resource | undefined;
  for (const member of group.children) {
    orderResource(cluster, member);
    if (previous && group.colocated) addMemberColocation(cluster, member, previous);
    const first = group.ordered && !previous;
    const down = Kind.graphFirst | (first ? Kind.seq : 0);
    const post = first ? Kind.pullThen : Kind.graphThen;
    if (promotable) {
      order(group, 'demote', member, 'demote', down);
      order(member, 'demote', group, 'demoted', post);
      order(member, 'promote', group, 'promoted', Kind.blockThen | Kind.pullThen | Kind.graphThen);
      order(group, 'promote', member, 'promote', Kind.graphFirst);
    }
    order(group, 'stop', member, 'stop', down);
    order(member, 'stop', group, 'stopped', post);
    order(group, 'start', member, 'start', Kind.graphFirst);
    order(member, 'start', group, 'running', Kind.blockThen | Kind.pullThen | Kind.graphThen);
    if (!group.ordered) {
      order(group, 'start', member, 'start', Kind.pullThen | Kind.blockThen | Kind.graphFirst);
      if (promotable) order(group, 'promote', member, 'promote', Kind.pullThen | Kind.blockThen | Kind.graphFirst);
    } else if (previous) {
      order(previous, 'start', member, 'start', Kind.pullThen | Kind.blockThen);
      order(member, 'stop', previous, 'stop', Kind.seq | Kind.restartPair);
      if (isActive(member) && !isActive(previous)) order(member, 'stop', previous, 'start', Kind.back | Kind.blockThen);
      if (promotable) {
        order(previous, 'promote', member, 'promote', Kind.pullThen | Kind.blockThen);
        order(member, 'demote', previous, 'demote', Kind.seq);
      }
      if (lastActive && isActiveAnywhere(member) && !isActiveAnywhere(previous)) order(member, 'stop', lastActive, 'stop', Kind.seq);
    }
    if (isActiveAnywhere(member)) lastActive = member;
    previous = member;
  }
}

/** Unlike "active", wherever that is: also on a node that is gone. */
const isActiveAnywhere = ({ activeOn }: Resource): boolean => activeOn.length > 0;

function addMemberColocation(cluster: Cluster, member: Resource, previous: Resource): void {
  addColocation(cluster, {
    id: '#group-members',
    dependent: member,
    primary: previous,
    score: INFINITY,
    dependentRole: undefined,
    primaryRole: undefined,
    nodeAttribute: '#uname',
    explicit: false,
    influence: member.critical,
  });
}

/** Specification 07 §7.3, §7.4. */
function orderClone(cluster: Cluster, clone: Resource): void {
  const order = (first: Resource, firstTask: string, then: Resource, thenTask: string, kinds: number): void => {
    orderTasks(cluster, first, firstTask, then, thenTask, kinds);
  };
  order(clone, 'stopped', clone, 'start', Kind.seq);
  order(clone, 'start', clone, 'running', Kind.blockThen);
  order(clone, 'stop', clone, 'stopped', Kind.blockThen);
  if (clone.promotable) {
    order(clone, 'demoted', clone, 'stop', Kind.seq);
    order(clone, 'running', clone, 'promote', Kind.blockThen);
  }
  const ordered = clone.clone?.ordered === true;
  if (ordered) sortByNumber(planning(clone).children);
  for (const [index, instance] of clone.children.entries()) {
    orderResource(cluster, instance);
    order(clone, 'start', instance, 'start', Kind.blockThen | Kind.graphFirst);
    order(instance, 'start', clone, 'running', Kind.graphThen);
    order(clone, 'stop', instance, 'stop', Kind.graphFirst);
    order(instance, 'stop', clone, 'stopped', Kind.graphThen);
    if (!ordered) continue;
    for (const later of clone.children.slice(index + 1)) {
      order(instance, 'start', later, 'start', Kind.seq);
      order(later, 'stop', instance, 'stop', Kind.seq);
    }
  }
  if (!clone.promotable) return;
  orderRoleChanges(cluster, clone);
  let previous: Resource | undefined;
  for (const instance of clone.children) {
    order(instance, 'demote', instance, 'promote', Kind.seq);
    order(clone, 'promote', instance, 'promote', Kind.seq);
    order(instance, 'promote', clone, 'promoted', Kind.seq);
    if (ordered && previous) order(previous, 'promote', instance, 'promote', Kind.seq);
    order(clone, 'demote', instance, 'demote', Kind.graphFirst);
    order(instance, 'demote', clone, 'demoted', Kind.graphThen);
    if (ordered && previous) order(instance, 'demote', previous, 'demote', Kind.seq);
    previous = instance;
  }
}

/** The chain of role changes of a promotable clone or bundle (specification 07 §7.4). */
function orderRoleChanges(cluster: Cluster, collective: Resource): void {
  for (const [first, then] of [
    ['stopped', 'start'],
    ['stopped', 'promote'],
    ['demoted', 'stop'],
    ['demoted', 'start'],
    ['demoted', 'promote'],
    ['running', 'promote'],
    ['demote', 'demoted'],
  ] as const) {
    orderTasks(cluster, collective, first, collective, then, Kind.seq);
  }
}

/** Specification 07 §7.5. */
function orderBundle(cluster: Cluster, bundle: Resource): void {
  const order = (first: Resource, firstTask: string, then: Resource, thenTask: string, kinds: number): void => {
    orderTasks(cluster, first, firstTask, then, thenTask, kinds);
  };
  const settings = bundle.bundle;
  if (!settings) return;
  for (const { container, child, ip, connection } of settings.replicas) {
    orderResource(cluster, container);
    order(bundle, 'start', container, 'start', Kind.blockThen | Kind.graphFirst);
    if (child) order(bundle, 'stop', child, 'stop', Kind.graphFirst);
    order(bundle, 'stop', container, 'stop', Kind.graphFirst);
    order(container, 'start', bundle, 'running', Kind.graphThen);
    order(container, 'stop', bundle, 'stopped', Kind.graphThen);
    if (ip) {
      orderResource(cluster, ip);
      order(ip, 'start', container, 'start', Kind.blockThen | Kind.guestOk);
      order(container, 'stop', ip, 'stop', Kind.back | Kind.guestOk);
      addColocation(cluster, {
        id: '#ip-with-container',
        dependent: ip,
        primary: container,
        score: INFINITY,
        dependentRole: undefined,
        primaryRole: undefined,
        nodeAttribute: '#uname',
        explicit: false,
        influence: true,
      });
    }
    if (connection) orderResource(cluster, connection);
  }
  const { inner } = settings;
  if (!inner) return;
  order(bundle, 'start', inner, 'start', Kind.graphFirst);
  order(inner, 'running', bundle, 'running', Kind.graphThen);
  order(bundle, 'stop', inner, 'stop', Kind.graphFirst);
  order(inner, 'stopped', bundle, 'stopped', Kind.graphThen);
  orderResource(cluster, inner);
  if (!inner.promotable) return;
  orderRoleChanges(cluster, bundle);
  order(bundle, 'demote', inner, 'demote', Kind.graphFirst);
  order(inner, 'demoted', bundle, 'demoted', Kind.graphThen);
  order(bundle, 'promote', inner, 'promote', Kind.graphFirst);
  order(inner, 'promoted', bundle, 'promoted', Kind.graphThen);
}
