import { childrenNamed, firstChildNamed, type Cib, type XmlElement } from '@systole/cib';
import { nameOf } from './effects.js';

/**
 * The shortest interval at which a resource is monitored on a node, ms, by its history there; undefined where no monitor of it runs. Of those of a promotable clone that are recorded there the ones of
 * both roles count: the history does not say which role it has.
 */
export function monitorInterval({ document }: Pick<Cib, 'document'>, resource: string, node: string): number | undefined {
  const intervals = historiesOf(document, node)
    .filter(({ attributes }) => nameOf(attributes['id'] ?? '') === resource)
    .flatMap((history) => childrenNamed(history, 'lrm_rsc_op'))
    .filter(({ attributes }) => attributes['operation'] === 'monitor' && Number(attributes['interval']) > 0)
    .map(({ attributes }) => Number(attributes['interval']));
  return intervals.length === 0 ? undefined : Math.min(...intervals);
}

function historiesOf(document: XmlElement, node: string): readonly XmlElement[] {
  const status = firstChildNamed(document, 'status');
  const state = status && childrenNamed(status, 'node_state').find(({ attributes }) => attributes['uname'] === node);
  const lrm = state && firstChildNamed(state, 'lrm');
  const resources = lrm && firstChildNamed(lrm, 'lrm_resources');
  return resources === undefined ? [] : childrenNamed(resources, 'lrm_resource');
}
