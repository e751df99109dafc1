import { childrenNamed, type XmlElement } from '@systole/cib';
import { nodeHistories } from './node-histories.js';
import { momentOf } from './moment.js';
import type { DegradedDto } from './status.dto.js';

/** Return codes of what runs and is not well: active, active as promoted (specification 03 §7.5). */
const DEGRADED: ReadonlySet<string | undefined> = new Set(['190', '191']);

/** By document: a status is made anew each second, and most documents are the ones of a second ago. */
const known = new WeakMap<XmlElement, readonly DegradedDto[]>();

/**
 * Resources that run and, as their agents say, are likelier to fail. A monitor that recurs reports when what it finds changes: what each of them found last counts; where none has found anything yet, what the
 * resource was begun with.
 */
export function degradedIn(cib: XmlElement): readonly DegradedDto[] {
  const found = known.get(cib) ?? nodeHistories(cib).flatMap(({ node, history }) => degradedBy(node, history));
  known.set(cib, found);
  return found;
}

function degradedBy(node: string, history: XmlElement): readonly DegradedDto[] {
  const resource = history.attributes['id'] ?? '';
  const entries = childrenNamed(history, 'lrm_rsc_op').map(({ attributes }) => attributes);
  const last = entries.find(({ id }) => id === `${resource}_last_0`);
  if (last?.['operation'] === 'stop') return [];
  const recurring = entries.filter(({ id, interval }) => id !== `${resource}_last_failure_0` && interval !== '0');
  const telling = recurring.length > 0 ? recurring : last === undefined ? [] : [last];
  const [worst] = telling.filter(({ 'rc-code': rc, 'op-status': status }) => status === '0' && DEGRADED.has(rc));
  if (worst === undefined) return [];
  const { operation = '', interval, 'rc-code': rc, 'exit-reason': exitReason = '' } = worst;
  return [
    {
      ...{ resource, node, operation, intervalMs: Number(interval ?? '0'), rc: Number(rc) },
      ...(exitReason === '' ? {} : { exitReason }),
      ...momentOf('at', worst['last-rc-change']),
    },
  ];
}
