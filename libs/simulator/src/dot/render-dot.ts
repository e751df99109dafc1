import { LongText } from '@systole/cib';
import { type Action, Kind, type Relation, type SchedulerRun } from '@systole/scheduler';

export interface DotOptions {
  /** Optional actions, actions of unmanaged resources and the relations of both are drawn, too. */
  readonly allActions?: boolean;
  /** Names carry the ids of the actions. */
  readonly actionIds?: boolean;
}

/** Draws a run as a directed graph in the dot language (specification 08 §4). */
export function renderDot({ cluster }: SchedulerRun, { allActions = false, actionIds = false }: DotOptions = {}): string {
  const text = new LongText();
  text.add(' digraph "g" {\n');
  const displayed = new Set<Action>();
  const newestFirst = cluster.actions.toReversed();
  const names = new Map<Action, string>();
  const name = (action: Action): string => {
    const known = names.get(action);
    if (known !== undefined) return known;
    const made = actionIds ? `${actionName(action)} (${action.id})` : actionName(action);
    names.set(action, made);
    return made;
  };
  for (const action of newestFirst) {
    const style = nodeStyle(action, allActions);
    if (!style) continue;
    displayed.add(action);
    text.add(`"${name(action)}" [ style=${style.line} color="${style.color}" fontcolor="${style.font}"]\n`);
  }
  for (const action of newestFirst) {
    for (const relation of action.inputs) {
      const style = edgeStyle(relation, displayed, allActions);
      if (style) text.add(`"${name(relation.first)}" -> "${name(action)}" [ style = ${style}]\n`);
    }
  }
  text.add('}\n');
  return text.toString();
}

interface NodeStyle {
  readonly line: 'bold' | 'dashed';
  readonly color: 'green' | 'red' | 'blue';
  readonly font: 'black' | 'orange' | 'purple';
}

/** Specification 08 §4.2; undefined for what isn't drawn. */
function nodeStyle(action: Action, allActions: boolean): NodeStyle | undefined {
  const font = action.pseudo ? 'orange' : 'black';
  if (action.written) return { line: 'bold', color: 'green', font };
  if (action.resource?.managed === false) return allActions ? { line: 'dashed', color: 'red', font: 'purple' } : undefined;
  if (action.optional) return allActions ? { line: 'dashed', color: 'blue', font } : undefined;
  return { line: 'dashed', color: 'red', font };
}

/** Specification 08 §4.3. */
function edgeStyle(
  { first, then, kinds, inGraph }: Relation,
  displayed: ReadonlySet<Action>,
  allActions: boolean,
): 'bold' | 'dashed' | undefined {
  if (inGraph) return 'bold';
  if (kinds === Kind.none) return undefined;
  if (displayed.has(first) && displayed.has(then) && kinds !== Kind.loadNode) return 'dashed';
  return allActions ? 'dashed' : undefined;
}

/** Specification 08 §4.4. */
function actionName(action: Action): string {
  const { resource, node, task, meta, key, cancelledTask, pseudo } = action;
  const host = node ? ` ${node.name}` : pseudo ? '' : ' <none>';
  const history = resource?.historyName;
  const interval = meta.get('interval') ?? '0';
  if (history !== undefined) {
    if (task === 'notify' || task === 'notified') {
      return `${history}_${meta.get('notify_key_type') ?? ''}_notify_${meta.get('notify_key_operation') ?? ''}_0${host}`;
    }
    if (cancelledTask !== undefined) return `Cancel ${history}_${cancelledTask}_${interval}${host}`;
    return `${history}_${task}_${interval}${host}`;
  }
  if (task === 'stonith') return `stonith '${meta.get('stonith_action') ?? ''}'${host}`;
  if (resource) return `${cancelledTask === undefined ? '' : 'Cancel '}${key}${host}`;
  return host === '' ? key : `${task}${host}`;
}
