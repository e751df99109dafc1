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
  const lines = [`<transition_graph${header}>\n`];
  for (const synapse of graph.synapses) writeSynapse(synapse, actions, lines);
  lines.push('</transition_graph>\n');
  return lines.join('');
}

function writeSynapse(synapse: Synapse, actions: ReadonlyMap<number, GraphAction>, lines: string[]): void {
  const { action } = synapse;
  lines.push(`  <synapse id="${synapse.id}"${synapse.priority > 0 ? ` priority="${synapse.priority}"` : ''}>\n`);
  lines.push(`    <action_set>\n      <${actionTag(action)}${attributesText({ 'shutdown-lock': action.shutdownLock })}>\n`);
  writeDetails(action, lines);
  lines.push(`      </${action.kind}>\n    </action_set>\n`);
  const inputs = synapse.inputs.map((id) => actions.get(id)).filter((input) => input !== undefined);
  if (inputs.length === 0) {
    lines.push('    <inputs/>\n');
  } else {
    lines.push('    <inputs>\n');
    for (const input of inputs) lines.push(`      <trigger>\n        <${actionTag(input)}/>\n      </trigger>\n`);
    lines.push('    </inputs>\n');
  }
  lines.push('  </synapse>\n');
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
function writeDetails({ primitive, attributes, params, downed, maintenance }: GraphAction, lines: string[]): void {
  if (primitive) {
    const { id, longId, class: standard, provider, type } = primitive;
    lines.push(`        <primitive${attributesText({ id, 'long-id': longId, class: standard, provider, type })}/>\n`);
  }
  if (params && params.length > 0) {
    lines.push(`        <attributes${attributesText(attributes)}>\n`);
    for (const { name, value } of params) lines.push(`          <param${attributesText({ name, value })}/>\n`);
    lines.push('        </attributes>\n');
  } else {
    lines.push(`        <attributes${attributesText(attributes)}/>\n`);
  }
  if (downed)
    writeNodes(
      'downed',
      downed.map((id) => attributesText({ id })),
      lines,
    );
  if (maintenance) {
    writeNodes(
      'maintenance',
      maintenance.map(({ nodeId, inMaintenance }) => attributesText({ id: nodeId, node_in_maintenance: inMaintenance ? 1 : 0 })),
      lines,
    );
  }
}

function writeNodes(name: string, nodes: readonly string[], lines: string[]): void {
  lines.push(`        <${name}>\n`, ...nodes.map((node) => `          <node${node}/>\n`), `        </${name}>\n`);
}
