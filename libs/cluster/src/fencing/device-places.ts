import {
  childrenNamed,
  CibRefused,
  cloneOf,
  element,
  firstChildNamed,
  readCib,
  readingOf,
  type ConfigurationReading,
  type XmlElement,
} from '@systole/cib';
import { keptByLocation } from '@systole/scheduler';
import type { ClusterState } from '../state/cluster-state.js';
import { configurationOf } from '../state/configuration.js';
import { historyOf } from '../state/history.js';
import { planTime } from '../state/plan-time.js';
import { fencingDevices, type FencingDevice } from './device.js';

/** From which nodes location constraints keep fence devices: names of nodes, by the device's id. */
export type KeptDevices = ReadonlyMap<string, ReadonlySet<string>>;

const NOWHERE: KeptDevices = new Map();

interface Known {
  readonly reading: ConfigurationReading;
  readonly asked: AskedStatus;
  readonly kept: KeptDevices;
}

/** By `configuration`. */
const knownOf = new WeakMap<XmlElement, Known>();
/** By document: asked for each node and device. */
const latestOf = new WeakMap<XmlElement, { readonly now: number; readonly kept: KeptDevices }>();

/**
 * Where no fence device may be used, as the scheduler would not place it there: by location constraints and nothing else ({@link keptByLocation}). Who wrote that a device is not for a
 * node knows why: it may not reach it, or hang on its power.
 *
 * Kept with the `configuration` element for as long as what constraints ask of the status stays the same.
 *
 * @param now epoch ms, for rules
 */
export function keptDevices(cib: XmlElement, now: number): KeptDevices {
  const latest = latestOf.get(cib);
  if (latest?.now === now) return latest.kept;
  const kept = keptAsRead(cib, now);
  latestOf.set(cib, { now, kept });
  return kept;
}

function keptAsRead(cib: XmlElement, now: number): KeptDevices {
  const configuration = configurationOf(cib);
  const constraints = firstChildNamed(configuration, 'constraints');
  const locations = constraints === undefined ? [] : childrenNamed(constraints, 'rsc_location');
  if (locations.length === 0) return NOWHERE;
  const ids = new Set(fencingDevices(cib, now).map(({ id }) => id));
  if (ids.size === 0) return NOWHERE;
  const reading = readingOf(cib, now);
  const asked = askedStatus(cib, reading, locations);
  const known = knownOf.get(configuration);
  if (known?.reading === reading && isSame(known.asked, asked)) return known.kept;
  const kept = placed({ ...cib, children: [configuration, element('status', {}, asked.nodeStates)] }, now, ids);
  knownOf.set(configuration, { reading, asked, kept });
  return kept;
}

/** Whether location constraints keep a fence device from a node: see {@link keptDevices}. */
export function isKeptFrom(state: ClusterState, { id }: FencingDevice, node: string): boolean {
  return keptDevices(state.cib, planTime(state)).get(id)?.has(node) === true;
}

/** A configuration that can't be scheduled says nothing of where a device may be. */
function placed(cib: XmlElement, now: number, ids: ReadonlySet<string>): KeptDevices {
  try {
    return keptByLocation(readCib(cib), Math.floor(now / 1000), ids);
  } catch (thrown) {
    if (thrown instanceof CibRefused) return NOWHERE;
    throw thrown;
  }
}

/** What of the status location constraints ask for. */
interface AskedStatus {
  readonly nodeStates: readonly XmlElement[];
  /** By which it is told whether it is the same: sets of attributes, and names. */
  readonly parts: readonly (XmlElement | string)[];
}

function isSame(known: AskedStatus, asked: AskedStatus): boolean {
  return known.parts.length === asked.parts.length && known.parts.every((part, at) => part === asked.parts[at]);
}

/** The attributes of the nodes, where there are rules, and of the histories those that make primitives in clones known by their own names (specification 04 §4.1 rule 1). */
function askedStatus(cib: XmlElement, reading: ConfigurationReading, locations: readonly XmlElement[]): AskedStatus {
  const ruled = locations.some((location) => firstChildNamed(location, 'rule') !== undefined);
  const status = firstChildNamed(cib, 'status');
  const cloned = reading.resources.filter((resource) => resource.kind === 'primitive' && cloneOf(resource) !== undefined);
  const parts: (XmlElement | string)[] = [];
  const nodeStates = (status === undefined ? [] : childrenNamed(status, 'node_state')).map((nodeState) => {
    const { id = '' } = nodeState.attributes;
    const transient = ruled ? childrenNamed(nodeState, 'transient_attributes') : [];
    const histories = cloned.flatMap((resource) => historyOf(nodeState, resource.id) ?? []);
    parts.push(id, ...transient, ...histories.map(({ attributes }) => attributes['id'] ?? ''));
    const lrm = histories.length === 0 ? [] : [element('lrm', { id }, [element('lrm_resources', {}, histories)])];
    return { ...nodeState, children: [...transient, ...lrm] };
  });
  return { nodeStates, parts };
}
