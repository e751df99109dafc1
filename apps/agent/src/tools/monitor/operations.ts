import { childrenNamed, exitWords, firstChildNamed, type XmlElement } from '@systole/cib';
import { isInProgress, recordedHistories } from './recorded-histories.js';

/** What became of an operation, as a program is told that `crm_mon --external-agent` runs. */
export type Notification = Readonly<Record<`CRM_notify_${string}`, string>>;

/** Every recorded operation, by what tells it from those before it. */
export function recordedOperations(cib: XmlElement): ReadonlyMap<string, Notification> {
  const found = new Map<string, Notification>();
  for (const { node, history } of recordedHistories(firstChildNamed(cib, 'status'))) {
    for (const { attributes } of childrenNamed(history, 'lrm_rsc_op')) {
      const { id = '', operation = '', 'rc-code': rc = '', 'op-status': status = '', 'transition-magic': magic = '' } = attributes;
      if (isInProgress(attributes)) continue;
      const key = [node, history.attributes['id'], id, attributes['call-id'], magic, attributes['last-rc-change']].join('\0');
      const expected = /^\d+:\d+;\d+:\d+:(\d+):/.exec(magic)?.[1] ?? '0';
      found.set(key, {
        CRM_notify_node: node,
        CRM_notify_rsc: history.attributes['id'] ?? '',
        CRM_notify_task: operation,
        CRM_notify_desc: exitWords(Number(rc)),
        CRM_notify_rc: rc,
        CRM_notify_target_rc: expected,
        CRM_notify_status: status,
      });
    }
  }
  return found;
}
