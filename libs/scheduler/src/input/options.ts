import type { ClusterOptionValues } from '@systole/cib';
import type { ClusterOptions, HealthStrategy, PlacementStrategy, QuorumPolicy } from '../model/cluster-options.js';
import type { CibContext } from '../model/cib-context.js';

/** The options that the scheduler uses, with what follows from them (specification 01 §3). */
export function readOptions(cib: CibContext, quorate: boolean): ClusterOptions {
  const values = cib.options;
  const fencingEnabled = values.flag('fencing-enabled');
  const text = (name: Parameters<ClusterOptionValues['text']>[0]): string => values.text(name) ?? '';
  return {
    quorumPolicy: quorumPolicy(cib, values, fencingEnabled, quorate),
    fencingEnabled,
    fencingAction: text('fencing-action'),
    fencingTimeout: text('fencing-timeout'),
    startupFencing: values.flag('startup-fencing'),
    concurrentFencing: values.flag('concurrent-fencing'),
    priorityFencingDelay: values.duration('priority-fencing-delay'),
    nodePendingTimeout: values.duration('node-pending-timeout'),
    fenceRemoteWithoutQuorum: values.flag('fence-remote-without-quorum'),
    haveWatchdog: values.flag('have-watchdog'),
    symmetric: values.flag('symmetric-cluster'),
    maintenanceMode: values.flag('maintenance-mode'),
    stopAllResources: values.flag('stop-all-resources'),
    startFailureIsFatal: values.flag('start-failure-is-fatal'),
    startupProbes: values.flag('enable-startup-probes'),
    stopRemovedResources: values.flag('stop-removed-resources'),
    cancelRemovedActions: values.flag('cancel-removed-actions'),
    shutdownLock: values.flag('shutdown-lock'),
    shutdownLockLimit: values.flag('shutdown-lock') ? values.duration('shutdown-lock-limit') : 0,
    placementStrategy: values.choice('placement-strategy') as PlacementStrategy,
    healthStrategy: values.choice('node-health-strategy') as HealthStrategy,
    healthBase: values.choice('node-health-strategy') === 'progressive' ? values.score('node-health-base') : 0,
    healthWords: values.healthWords,
    clusterDelay: text('cluster-delay'),
    batchLimit: text('batch-limit'),
    migrationLimit: values.integer('migration-limit') > 0 ? values.text('migration-limit') : undefined,
    clusterName: values.text('cluster-name'),
    failureStickiness: values.flag('failure-stickiness-enabled') ? values.score('default-resource-failure-stickiness') : undefined,
  };
}

/** `fence` needs fencing, and quorum once (specification 01 §3.3). */
function quorumPolicy(cib: CibContext, values: ClusterOptionValues, fencingEnabled: boolean, quorate: boolean): QuorumPolicy {
  const policy = values.choice('no-quorum-policy');
  switch (policy) {
    case 'ignore':
    case 'freeze':
    case 'demote':
      return policy;
    case 'fence':
    case 'suicide': {
      const panic = (cib.integer(cib.document.attributes['no-quorum-panic']) ?? 0) !== 0;
      return fencingEnabled && (quorate || panic) ? 'fence' : 'stop';
    }
    default:
      return 'stop';
  }
}
