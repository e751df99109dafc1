import { epochVersion } from '../epoch/epoch-version.js';
import type { ClusterEvent } from '../events/cluster-event.js';
import type { ClusterState } from '../state/cluster-state.js';
import type { Decision, Rejection, RejectionCode } from './decision.js';

const STATUS: Readonly<Record<RejectionCode, Rejection['status']>> = {
  'cluster-not-found': 404,
  'cluster-exists': 409,
  'cluster-stopping': 409,
  'cluster-not-stopping': 409,
  'cluster-deleted': 410,
  'node-not-found': 404,
  'resource-not-found': 404,
  'element-not-found': 404,
  'element-exists': 409,
  'element-in-use': 409,
  'patch-test-failed': 409,
  'transition-not-found': 409,
  'fencing-not-found': 404,
  'version-mismatch': 412,
  'stale-decision': 409,
  'incarnation-superseded': 409,
  'lease-lost': 409,
  'declared-down': 409,
  'reset-ordered': 409,
  'node-joined-elsewhere': 409,
  'join-overtaken': 409,
  'write-overtaken': 409,
  'log-epoch-changed': 409,
  'attribute-reserved': 403,
  'not-for-this-agent': 403,
  'attribute-overridden': 409,
  'attributes-full': 409,
  'already-there': 409,
  'place-not-clear': 409,
  'still-referred-to': 409,
  'node-online': 409,
  'still-active': 409,
  'node-offline': 409,
  'fencing-disabled': 409,
  'transition-running': 409,
  'still-managed': 409,
  'debug-running': 409,
  'agent-too-old': 409,
  'ticket-granted': 409,
  'invalid-configuration': 422,
  'doubtful-configuration': 422,
  'secret-refused': 422,
  'secret-not-found': 404,
  'invalid-argument': 422,
};

export function accept(...events: readonly ClusterEvent[]): Decision & { readonly ok: true } {
  return { ok: true, events };
}

export function reject(
  state: ClusterState,
  code: RejectionCode,
  message: string,
  more: Pick<Rejection, 'pointer' | 'issues'> = {},
): Decision & { readonly ok: false } {
  const { version: currentVersion, epoch } = epochVersion(state);
  const current = { currentVersion, ...(epoch === undefined ? {} : { currentEpoch: epoch }) };
  return { ok: false, rejection: { code, status: STATUS[code], message, ...current, ...more } };
}

/** Whoever keeps the names of clusters finds it out: no stream knows those of the others. */
export function clusterNameTaken(name: string): Rejection {
  const message = `a cluster named ${name} exists: choose another name, or delete that cluster first`;
  return { code: 'cluster-exists', status: STATUS['cluster-exists'], message, pointer: '/name', currentVersion: 0 };
}

/** Names of clusters. */
export const CLUSTER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
