import { childrenNamed, element, exitWords, firstChildNamed, parseInteger, type XmlElement } from '@systole/cib';
import { type Cluster, rawFailCount, type Resource } from '@systole/scheduler';
import { dateText } from '../status/date-text.js';

/** OCF: it does not run. */
const NOT_RUNNING = 7;

/**
 * What was done with resources on the nodes that are online, in the order of the status section.
 *
 * @param isNodeShown by name
 * @param isResourceShown by what it is, undefined for what history alone knows, and the name under which history knows it
 * @param localOffsetSeconds east of UTC, for dates
 */
export function historyElement(
  cluster: Cluster,
  isNodeShown: (name: string) => boolean,
  isResourceShown: (resource: Resource | undefined, name: string) => boolean,
  localOffsetSeconds = 0,
): XmlElement {
  const status = cluster.cib.firstNamed('status');
  const nodes = (status ? childrenNamed(status, 'node_state') : []).flatMap((state) => {
    const node = cluster.nodeByName(state.attributes['uname'] ?? '');
    if (node?.online !== true || !isNodeShown(node.name)) return [];
    const lrm = firstChildNamed(state, 'lrm');
    const recorded = lrm && firstChildNamed(lrm, 'lrm_resources');
    const resources = (recorded ? childrenNamed(recorded, 'lrm_resource') : []).flatMap((history) => {
      const id = history.attributes['id'] ?? '';
      const resource = cluster.resourceNames.first(id);
      const operations = isResourceShown(resource, id) ? operationsOf(history, localOffsetSeconds) : [];
      if (operations.length === 0) return [];
      if (resource === undefined) return element('resource_history', { id, orphan: 'true' }, operations);
      const { count, lastFailure } = rawFailCount(cluster, resource, node);
      const isAnonymous = resource.top.kind === 'clone' && !resource.top.unique;
      const attributes = {
        // As Pacemaker 2.1.5 was seen to print it: instances that can't be told apart have the name of what they are of.
        id: isAnonymous ? resource.xmlId : id,
        orphan: 'false',
        'migration-threshold': String(resource.migrationThreshold),
        ...(count > 0 ? { 'fail-count': String(count) } : {}),
        ...(count > 0 && lastFailure > 0 ? { 'last-failure': dateText(lastFailure, localOffsetSeconds) } : {}),
      };
      return element('resource_history', attributes, operations);
    });
    return resources.length === 0 ? [] : element('node', { name: node.name }, resources);
  });
  return element('node_history', {}, nodes);
}

/** In the order in which they were called; a probe that found nothing is no news, and what is under way is none yet. */
function operationsOf(history: XmlElement, localOffsetSeconds: number): readonly XmlElement[] {
  return childrenNamed(history, 'lrm_rsc_op')
    .map(({ attributes }) => ({ attributes, call: parseInteger(attributes['call-id']) ?? -1, ...kindOf(attributes) }))
    .filter(({ attributes }) => attributes['op-status'] !== '-1')
    .filter(({ isProbe, attributes }) => !isProbe || Number(attributes['rc-code']) !== NOT_RUNNING)
    .sort((a, b) => a.call - b.call)
    .map(({ attributes, call, isProbe, interval }) => {
      const { operation = '', 'rc-code': rc, 'exec-time': exec, 'queue-time': queue } = attributes;
      const code = parseInteger(rc) ?? 0;
      const changed = parseInteger(attributes['last-rc-change']) ?? 0;
      return element('operation_history', {
        call: String(call),
        task: isProbe ? 'probe' : operation,
        rc: String(code),
        rc_text: exitWords(code),
        ...(interval > 0 ? { interval: `${String(interval)}ms` } : {}),
        ...(changed > 0 ? { 'last-rc-change': dateText(changed, localOffsetSeconds) } : {}),
        ...(exec === undefined ? {} : { 'exec-time': `${exec}ms` }),
        ...(queue === undefined ? {} : { 'queue-time': `${queue}ms` }),
      });
    });
}

function kindOf({ operation, interval: text }: XmlElement['attributes']): { readonly isProbe: boolean; readonly interval: number } {
  const interval = parseInteger(text) ?? 0;
  return { isProbe: operation === 'monitor' && interval === 0, interval };
}
