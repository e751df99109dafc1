import { LongText } from '@systole/cib';
import type { GraphAction, Synapse, TransitionGraph } from '@systole/scheduler';
import { attributesText } from './xml-text.js';

/** Writes a transition graph as XML (specification 08 §3): no declaration, two blanks per depth, a newline after each tag. */
export function renderGraph(graph: TransitionGraph): string {
  const header = attributesText({
    'cluster-delay': graph.clusterDelay,
    'fencing-timeout': graph.fencingTimeout,
    'failed-stop-offset': graph.failedStopOffset,
    'failed-start-offset': graph.failedStartOffset,
    'batch-limit': graph.batchLimit,
    transition_id: 1,
    'migration-limit': graph.migrationLimit,
    'recheck-by': graph.recheckBy,
  });
  if (graph.synapses.length === 0) return `<transition_graph${header}/>\n`;
  const actions = new Map(graph.synapses.map(({ action }) => [action.id, action]));
  const text = new LongText();
  text.add(`<transition_graph${header}>\n`);
  for (const synapse of graph.synapses) writeSynapse(synapse, actions, text);
  text.add('</transition_graph>\n');
  return text.toString();
}

function writeSynapse(synapse: Synapse, actions: ReadonlyMap<number, GraphAction>, text: LongText): void {
  const { action } = synapse;
  text.add(`  <synapse id="${synapse.id}"${synapse.priority > 0 ? ` priority="${synapse.priority}"` : ''}>\n`);
  text.add(`    <action_set>\n      <${actionTag(action)}${attributesText({ 'shutdown-lock': action.shutdownLock })}>\n`);
  writeDetails(action, text);
  text.add(`      </${action.kind}>\n    </action_set>\n`);
  const inputs = synapse.inputs.map((id) => actions.get(id)).filter((input) => input !== undefined);
  if (inputs.length === 0) {
    text.add('    <inputs/>\n');
  } else {
    text.add('    <inputs>\n');
    for (const input of inputs) text.add(`      <trigger>\n        <${actionTag(input)}/>\n      </trigger>\n`);
    text.add('    </inputs>\n');
  }
  text.add('  </synapse>\n');
}

/** The inside of an action's start tag, as triggers show it too (specification 08 §3.6). */
function actionTag(action: GraphAction): string {
  return (
    action.kind +
    attributesText({
      mode: action.mode,
      id: action.id,
      operation: action.operation,
      operation_key: action.operationKey,
      internal_operation_key: action.internalOperationKey,
      on_node: action.node?.name,
      on_node_uuid: action.node?.id,
      router_node: action.node?.router,
    })
  );
}

/** The children of an action (specification 08 §3.8). */
function writeDetails({ primitive, attributes, params, downed, maintenance }: GraphAction, text: LongText): void {
  if (primitive) {
    const { id, longId, class: standard, provider, type } = primitive;
    text.add(`        <primitive${attributesText({ id, 'long-id': longId, class: standard, provider, type })}/>\n`);
  }
  if (params && params.length > 0) {
    text.add(`        <attributes${attributesText(attributes)}>\n`);
    for (const { name, value } of params) text.add(`          <param${attributesText({ name, value })}/>\n`);
    text.add('        </attributes>\n');
  } else {
    text.add(`        <attributes${attributesText(attributes)}/>\n`);
  }
  if (downed)
    writeNodes(
      'downed',
      downed.map((id) => attributesText({ id })),
      text,
    );
  if (maintenance) {
    writeNodes(
      'maintenance',
      maintenance.map(({ nodeId, inMaintenance }) => attributesText({ id: nodeId, node_in_maintenance: inMaintenance ? 1 : 0 })),
      text,
    );
  }
}

function writeNodes(name: string, nodes: readonly string[], text: LongText): void {
  text.add(`        <${name}>\n${nodes.map((node) => `          <node${node}/>\n`).join('')}        </${name}>\n`);
}
