import type { GraphAction, TransitionGraph } from '@systole/scheduler';
import type { PlannedMigration } from '../events/transitions.js';
import { memberOf, type ClusterState, type NodeMember, type SentResource } from '../state/cluster-state.js';
import { isReported } from '../state/transition-results.js';
import { mayHaveCome, sentFrom, withUnlookedFor } from './arriving.js';

/**
 * A live migration whose source goes away before anybody said how its `migrate_to` ended, or before the target said anything of what has come: the source's history, which tells of it, goes with the source, and the resource may be at the
 * target, or may come there as long as the source runs on. It is looked for there before it is started anywhere: when the source is lost, and once more when it is over for certain (fenced, confirmed down, joined anew), as what a probe found before that may have been too early.
 */

/** The live migrations of a graph, ascending by id. Linear in its actions. */
export function plannedMigrations({ synapses }: TransitionGraph): readonly PlannedMigration[] {
  return synapses.flatMap(({ action }) => migrationOf(action) ?? []);
}

function migrationOf({ kind, operation, id, node, primitive, attributes }: GraphAction): PlannedMigration | undefined {
  if (kind !== 'rsc_op' || operation !== 'migrate_to') return undefined;
  const target = attributes['CRM_meta_migrate_target'];
  if (node === undefined || primitive === undefined || target === undefined) return undefined;
  return { graphAction: id, resource: primitive.id, source: node.name, target };
}

/** What a node was to send elsewhere in the running plan, and may have sent: nobody said how that ended, and the target is not known to run it. */
export function openMigrations(state: ClusterState, source: string): readonly SentResource[] {
  const { transition } = state;
  const open = (transition?.migrations ?? []).filter(
    (one) => one.source === source && transition !== undefined && !isReported(transition, one.graphAction),
  );
  return open.filter(({ resource, target }) => mayHaveCome(state, target, resource));
}

/** The same with what it has sent, of which the target has said nothing, and what may have come late from where it was lost. */
export function unansweredMigrations(state: ClusterState, source: string): readonly SentResource[] {
  const { migrating = [] } = memberOf(state, source) ?? {};
  const sent = [...migrating, ...sentFrom(state, source)].filter(({ resource, target }) => mayHaveCome(state, target, resource));
  const all = new Map(
    [...sent, ...openMigrations(state, source)].map(({ resource, target }) => [`${resource} ${target}`, { resource, target }]),
  );
  return [...all.values()];
}

/** @param isOver nothing that the source began goes on; else it is asked once more when that is so */
export function withMigrationsUnanswered(state: ClusterState, source: string, isOver: boolean): ClusterState {
  const unanswered = unansweredMigrations(state, source);
  const lookedFor = unanswered.reduce((next, { target, resource }) => withUnlookedFor(next, target, resource, source), state);
  const member = memberOf(lookedFor, source);
  if (member === undefined || (unanswered.length === 0 && member.migrating === undefined)) return lookedFor;
  const kept = withNothingSent(member);
  const next = isOver || unanswered.length === 0 ? kept : { ...kept, migrating: unanswered };
  return { ...lookedFor, nodes: { ...lookedFor.nodes, [source]: next } };
}

function withNothingSent({ migrating: _, ...member }: NodeMember): NodeMember {
  return member;
}
