import { readCib } from '@systole/cib';
import { readState } from '@systole/scheduler';
import { factsIn, MONITOR_SECTIONS, monitorText, type FencingRecord } from '@systole/simulator';

/**
 * The status of a cluster as `crm_mon` shows it, with everything that it can show.
 *
 * @param text a CIB with its status section
 * @param now epoch seconds
 * @throws what reading an unfit CIB throws
 */
export function crmMonText(text: string, fencing: readonly FencingRecord[], now: number): string {
  const cib = readCib(text);
  const cluster = readState(cib, { now, scores: false, configurationWarnings: false });
  const facts = factsIn(cib.document, 'systole report', fencing);
  return monitorText(cluster, facts, { sections: new Set(MONITOR_SECTIONS), inactive: true });
}
