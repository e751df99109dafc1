import { agentOf, cloneOf, isGloballyUnique, parseBoolean, readingOf } from '@systole/cib';
import type { GraphAction } from '@systole/scheduler';
import { isActivation } from '../epoch/activation-hold.js';
import type { ClusterState } from '../state/cluster-state.js';
import { stranded } from '../remote/stranded.js';
import { activatesLeft, leftRunning } from './left-running.js';

/** What waits elsewhere for a node because it runs on there, by history ids. */
export interface HeldBack {
  readonly node: string;
  /** It runs, or may run, on a remote or guest node whose connection is not up (`stranded`); else it was left running (`leftRunning`). */
  readonly cutOff: boolean;
  /** Not started, nor promoted. */
  readonly starts: readonly string[];
  /** Only not promoted. */
  readonly promotions: readonly string[];
}

/**
 * What of the resources that were left running, or are cut off with their node, is held back elsewhere, by the rule that holds it (`activatesLeft`).
 *
 * @param now epoch ms, for rules
 */
export function heldBack(state: ClusterState, now: number): readonly HeldBack[] {
  const holds = [
    ...leftRunning(state).map((hold) => ({ ...hold, cutOff: false })),
    ...stranded(state).map((hold) => ({ ...hold, cutOff: true })),
  ];
  return holds.flatMap(({ node, resources, cutOff }) => {
    const held = new Set(resources);
    const waits = (id: string, operation: string): boolean => {
      const action = activation(state, id, operation, now);
      return isActivation(action) && activatesLeft(action, held);
    };
    const starts = resources.filter((id) => waits(id, 'start'));
    const promotions = resources.filter((id) => !starts.includes(id) && isPromotable(state, id, now) && waits(id, 'promote'));
    return starts.length === 0 && promotions.length === 0 ? [] : [{ node, cutOff, starts, promotions }];
  });
}

/** As a graph would name it: instances that share a history have a longer id as well. */
function activation(state: ClusterState, historyId: string, operation: string, now: number): GraphAction {
  const resource = readingOf(state.cib, now).resource(historyId);
  const { standard = '', provider, type = '' } = resource === undefined ? {} : agentOf(resource.element.attributes);
  const isShared = resource !== undefined && cloneOf(resource) !== undefined && !isGloballyUnique(resource.meta);
  const primitive = {
    id: historyId,
    ...(isShared ? { longId: `${historyId}:0` } : {}),
    class: standard,
    ...(provider === undefined ? {} : { provider }),
    type,
  };
  return { kind: 'rsc_op', id: 0, operation, operationKey: `${historyId}_${operation}_0`, primitive, attributes: {} };
}

function isPromotable(state: ClusterState, historyId: string, now: number): boolean {
  const resource = readingOf(state.cib, now).resource(historyId);
  return parseBoolean((resource && cloneOf(resource))?.meta.get('promotable')) === true;
}
