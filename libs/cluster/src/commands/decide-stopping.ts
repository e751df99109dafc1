import { BOOTSTRAP_OPTIONS_ID, childrenNamed, diffConfiguration, element, firstChildNamed, readingOf, type XmlElement } from '@systole/cib';
import type { ClusterEvent } from '../events/cluster-event.js';
import type { ClusterState } from '../state/cluster-state.js';
import { configurationOf, editConfiguration, setPair } from '../state/configuration.js';
import { childById, putById, putOnly } from '../state/tree.js';
import type { CancelStop, StopCluster } from './cluster-command.js';
import type { Decision } from './decision.js';
import { accept, reject } from './rejection.js';

const OPTION = 'stop-all-resources';

/** Sets `stop-all-resources` in the set of options that goes before all others, so that whoever reads the configuration sees why nothing runs. */
export function stopCluster({ reason }: StopCluster, state: ClusterState): Decision {
  if (state.stopping !== undefined && state.stopping.ofBefore !== true) return accept();
  const why = reason === undefined ? {} : { reason };
  if (stopsForGood(state.cib)) return accept({ type: 'ClusterStopping', data: why });
  const before = writtenOption(state.cib);
  const next = withOption(state.cib, 'true');
  if (!stopsForGood(next)) {
    const message = `${OPTION} would not be in force where it is written, in ${BOOTSTRAP_OPTIONS_ID}: take the rule away from that set, or stop the resources and delete the cluster then`;
    return reject(state, 'invalid-configuration', message);
  }
  return accept(
    { type: 'ClusterStopping', data: { ...why, restore: before === undefined ? {} : { value: before } } },
    configurationChanged('stop-cluster', state.cib, next),
  );
}

export function cancelStop({ reason }: CancelStop, state: ClusterState): Decision {
  const { stopping } = state;
  if (stopping === undefined) return reject(state, 'cluster-not-stopping', 'nobody asked for the cluster to be stopped and deleted');
  const cancelled: ClusterEvent = { type: 'ClusterStopCancelled', data: reason === undefined ? {} : { reason } };
  const next = stopping.restore === undefined ? state.cib : withOption(state.cib, stopping.restore.value);
  return next === state.cib ? accept(cancelled) : accept(cancelled, configurationChanged('cancel-stop', state.cib, next));
}

/** Why a configuration can't be put in force while everything is being stopped; undefined when it can. */
export function startsAgain(state: ClusterState, next: XmlElement): (Decision & { readonly ok: false }) | undefined {
  if (state.stopping === undefined || stopsForGood(next)) return undefined;
  const message = `the cluster is being stopped since ${state.stopping.since}, and this configuration could start resources again: keep ${OPTION}=true in the set ${BOOTSTRAP_OPTIONS_ID}, without a rule, or call the deletion off first (cancel-deletion)`;
  return reject(state, 'cluster-stopping', message, { pointer: '/cib' });
}

/** Whether everything is stopped at any time: by the set that goes before all others, once, in its own words, and under no rule. */
function stopsForGood(cib: XmlElement): boolean {
  const set = bootstrapOptions(cib);
  if (set === undefined || firstChildNamed(set, 'rule') !== undefined) return false;
  const [pair, another] = childrenNamed(set, 'nvpair').filter(
    ({ attributes }) => attributes['name'] === OPTION || attributes['id-ref'] !== undefined,
  );
  return pair?.attributes['name'] === OPTION && another === undefined && readingOf(cib, 0).options.flag(OPTION);
}

function configurationChanged(command: string, before: XmlElement, after: XmlElement): ClusterEvent {
  return { type: 'ConfigurationChanged', data: { command, arguments: {}, changes: diffConfiguration(before, after) } };
}

function bootstrapOptions(cib: XmlElement): XmlElement | undefined {
  const section = firstChildNamed(configurationOf(cib), 'crm_config');
  return section && childById(section, 'cluster_property_set', BOOTSTRAP_OPTIONS_ID);
}

function writtenOption(cib: XmlElement): string | undefined {
  const set = bootstrapOptions(cib);
  return set && childrenNamed(set, 'nvpair').find(({ attributes }) => attributes['name'] === OPTION)?.attributes['value'];
}

function withOption(cib: XmlElement, value: string | undefined): XmlElement {
  const before = bootstrapOptions(cib);
  const after = setPair(before ?? element('cluster_property_set', { id: BOOTSTRAP_OPTIONS_ID }), `${BOOTSTRAP_OPTIONS_ID}-`, OPTION, value);
  if (after === before) return cib;
  const section = firstChildNamed(configurationOf(cib), 'crm_config') ?? element('crm_config');
  return editConfiguration(cib, (configuration) => putOnly(configuration, putById(section, after)));
}
