import {
  agentOf,
  childElements,
  childrenNamed,
  exitWords,
  firstChildNamed,
  parseInterval,
  parseXml,
  readingOf,
  type ConfiguredResource,
  type XmlElement,
} from '@systole/cib';
import { EXIT, ToolFailure, type ToolResult } from '../tool.js';
import type { ClusterConnection, ForcedOperation } from './cluster-connection.js';

/** The options that have this node do something with a resource, past the cluster. */
export const FORCED: Readonly<Record<string, ForcedOperation['operation']>> = {
  'force-start': 'start',
  'force-stop': 'stop',
  'force-check': 'monitor',
  'force-promote': 'promote',
  'force-demote': 'demote',
};

const DEFAULT_TIMEOUT_MS = 20_000;

/**
 * Runs an operation of a resource agent on this node, with what is configured for it here, and shows what it printed. The cluster is not asked, and is not told: what it finds
 * changed by its monitors or probes it puts right, unless the resource is not managed.
 */
export async function forceOperation(option: string, id: string, cluster: ClusterConnection): Promise<ToolResult> {
  const operation = FORCED[option] ?? 'monitor';
  const { force, node } = cluster;
  if (force === undefined) {
    throw new ToolFailure(
      EXIT.UNIMPLEMENTED,
      `--${option} runs the resource agent where the tool runs: run it on a node, or use "systole resource debug"`,
    );
  }
  const document = parseXml(await cluster.cib());
  const reading = readingOf(document, Date.now());
  const resource = primitiveOf(id, reading.resources);
  if (resource === undefined) throw new ToolFailure(EXIT.NO_SUCH, `Resource '${id}' not found`);
  const { standard = '', provider, type = '' } = agentOf(resource.element.attributes);
  const nodeState = childElements(firstChildNamed(document, 'status') ?? document).find(({ attributes }) => attributes['uname'] === node);
  const identity = reading.nodes.find(({ name }) => name === node) ?? { id: node, name: node };
  const transient = nodeState && firstChildNamed(nodeState, 'transient_attributes');
  const parameters = reading.parameters(resource, reading.nodeAttributes(identity, transient, document.attributes['dc-uuid']));
  const { rc, output, exitReason } = await force({
    resource: { id: resource.id, class: standard, type, ...(provider === undefined ? {} : { provider }) },
    operation,
    timeoutMs: timeoutOf(resource.element, operation),
    parameters: Object.fromEntries(parameters),
  });
  const agent = [standard, provider, type].filter((part) => part !== undefined).join(':');
  const words = exitWords(rc);
  const reason = exitReason === undefined || exitReason === '' ? '' : `ocf-exit-reason:${exitReason}\n`;
  const ended = `Operation ${option} for ${resource.id} (${agent}) returned ${String(rc)} (${words})\n`;
  const text = output === '' || output.endsWith('\n') ? output : `${output}\n`;
  return {
    stdout: `${ended}${reason}${text}`,
    stderr: rc === 0 ? '' : `crm_resource: Error performing operation: ${words.charAt(0).toUpperCase()}${words.slice(1)}\n`,
    exitCode: rc,
  };
}

/** What is named, or the first primitive in it; that of an instance of a clone by the id of the instance, too. */
function primitiveOf(id: string, resources: readonly ConfiguredResource[]): ConfiguredResource | undefined {
  const isIn = (one: ConfiguredResource, of: string): boolean => one.id === of || (one.parent !== undefined && isIn(one.parent, of));
  const primitives = resources.filter(({ kind }) => kind === 'primitive');
  return primitives.find((one) => isIn(one, id)) ?? primitives.find((one) => isIn(one, id.replace(/:\d+$/, '')));
}

/** As the operation is configured; of monitors the first. */
function timeoutOf(primitive: XmlElement, operation: string): number {
  const operations = childrenNamed(primitive, 'operations').flatMap((of) => childrenNamed(of, 'op'));
  const configured = operations.find(({ attributes }) => attributes['name'] === operation)?.attributes['timeout'];
  return (configured === undefined ? undefined : parseInterval(configured)) ?? DEFAULT_TIMEOUT_MS;
}
