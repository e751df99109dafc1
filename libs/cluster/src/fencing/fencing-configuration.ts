import { CLUSTER_OPTIONS, firstChildNamed, readingOf, serializeXml, type XmlElement } from '@systole/cib';
import { configurationOf } from '../state/configuration.js';
import { fencingDevices } from './device.js';
import { keptDevices } from './device-places.js';

/** `fencing-timeout`, `fencing-max-attempts`, `priority-fencing-delay`, `concurrent-fencing` … */
const FENCING_OPTIONS = CLUSTER_OPTIONS.map(({ name }) => name).filter((name) => name.split('-').includes('fencing'));

/**
 * Whether a changed configuration may make fencing succeed that failed before: a fence device, what it is made of or whether and where it may be used, the
 * fencing topology, or an option about fencing differs.
 *
 * @param now epoch ms, for rules
 */
export function fencingDiffers(before: XmlElement, after: XmlElement, now: number): boolean {
  return configurationOf(before) !== configurationOf(after) && partsOf(before, now) !== partsOf(after, now);
}

function partsOf(cib: XmlElement, now: number): string {
  const reading = readingOf(cib, now);
  const kept = keptDevices(cib, now);
  const devices = fencingDevices(cib, now).map((device) => {
    const resource = reading.resource(device.id);
    // As written, too: a rule may let other parameters count on another node.
    return [device, resource === undefined ? '' : serializeXml(resource.element), [...(kept.get(device.id) ?? [])]];
  });
  const topology = firstChildNamed(configurationOf(cib), 'fencing-topology');
  return JSON.stringify([
    FENCING_OPTIONS.map((name) => reading.options.text(name) ?? null),
    devices,
    topology === undefined ? '' : serializeXml(topology),
  ]);
}
