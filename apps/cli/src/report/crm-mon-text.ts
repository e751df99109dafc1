import { firstChildNamed, parseXml, readCib } from '@systole/cib';
import { readState } from '@systole/scheduler';
import { factsIn, MONITOR_SECTIONS, monitorText, type FencingRecord, type LastChange } from '@systole/simulator';

/**
 * The status of a cluster as `crm_mon` shows it, with everything that it can show.
 *
 * @param text a CIB with its status section
 * @param document the same status as `crm_mon --output-as=xml` prints it: a CIB that is exported does not say who changed it last
 * @param now epoch seconds
 * @throws what reading an unfit CIB throws
 */
export function crmMonText(text: string, document: string | undefined, fencing: readonly FencingRecord[], now: number): string {
  const cib = readCib(text);
  const cluster = readState(cib, { now, scores: false, configurationWarnings: false });
  const lastChange = document === undefined ? undefined : lastChangeIn(document);
  return monitorText(
    cluster,
    { ...factsIn(cib.document, 'systole report', fencing), lastChange },
    { sections: new Set(MONITOR_SECTIONS), inactive: true },
  );
}

function lastChangeIn(document: string): LastChange | undefined {
  const summary = firstChildNamed(parseXml(document), 'summary');
  const { time = '', user = '', client = '', origin = '' } = (summary && firstChildNamed(summary, 'last_change'))?.attributes ?? {};
  const at = Date.parse(`${time} UTC`);
  return Number.isNaN(at) ? undefined : { at: Math.floor(at / 1_000), user, client, origin };
}
