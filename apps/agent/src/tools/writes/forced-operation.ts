import { agentOf, childrenNamed, exitWords, parseInterval, type XmlElement } from '@systole/cib';
import { CibView } from '../cib-view.js';
import type { Answer } from '../output-format.js';
import { EXIT, ToolFailure } from '../tool.js';
import type { ClusterConnection, ForcedOperation } from './cluster-connection.js';

/** The options that have this node do something with a resource, past the cluster. */
export const FORCED: Readonly<Record<string, ForcedOperation['operation']>> = {
  'force-start': 'start',
  'force-stop': 'stop',
  'force-check': 'monitor',
  'force-promote': 'promote',
  'force-demote': 'demote',
  validate: 'validate-all',
};

const DEFAULT_TIMEOUT_MS = 20_000;

/**
 * Runs an operation of a resource agent on this node, with what is configured for it here, and shows what it printed. The cluster is not asked, and is not told: what it finds
 * changed by its monitors or probes it puts right, unless the resource is not managed.
 */
export async function forceOperation(option: string, id: string, cluster: ClusterConnection): Promise<Answer> {
  const operation = FORCED[option] ?? 'monitor';
  const view = CibView.parse(await cluster.cib());
  const resource = view.primitive(id);
  if (resource === undefined) throw new ToolFailure(EXIT.NO_SUCH, `Resource '${id}' not found\nError performing operation: No such object`);
  const { standard = '', provider, type = '' } = agentOf(resource.element.attributes);
  const asked = {
    resource: { id: resource.id, class: standard, type, ...(provider === undefined ? {} : { provider }) },
    operation,
    timeoutMs: timeoutOf(resource.element, operation),
    parameters: Object.fromEntries(view.parameters(resource, cluster.node)),
  };
  return outcomeOf(option, ` for ${resource.id}`, asked, cluster);
}

/** `--validate` of parameters that are given, for no resource of the cluster. */
export async function validateGiven(
  agent: Omit<ForcedOperation['resource'], 'id'>,
  parameters: Readonly<Record<string, string>>,
  cluster: ClusterConnection,
): Promise<Answer> {
  const asked = { resource: { id: 'test', ...agent }, operation: 'validate-all' as const, timeoutMs: DEFAULT_TIMEOUT_MS, parameters };
  return outcomeOf('validate', '', asked, cluster);
}

async function outcomeOf(option: string, of: string, asked: ForcedOperation, { force }: ClusterConnection): Promise<Answer> {
  if (force === undefined)
    throw new ToolFailure(
      EXIT.UNIMPLEMENTED,
      `--${option} runs the resource agent where the tool runs: run it on a node, or use "systole resource debug"`,
    );
  const { rc, output, exitReason } = await force(asked);
  const { class: standard, provider, type } = asked.resource;
  const agent = [standard, provider, type].filter((part) => part !== undefined).join(':');
  const words = exitWords(rc);
  const reason = exitReason === undefined || exitReason === '' ? '' : `ocf-exit-reason:${exitReason}\n`;
  const ended = `Operation ${option}${of} (${agent}) returned ${String(rc)} (${words})\n`;
  const text = output === '' || output.endsWith('\n') ? output : `${output}\n`;
  return {
    stdout: `${ended}${reason}${text}`,
    stderr: rc === 0 ? '' : `crm_resource: Error performing operation: ${words.charAt(0).toUpperCase()}${words.slice(1)}\n`,
    exitCode: rc,
  };
}

/** As the operation is configured; of monitors the first. */
function timeoutOf(primitive: XmlElement, operation: string): number {
  const operations = childrenNamed(primitive, 'operations').flatMap((of) => childrenNamed(of, 'op'));
  const configured = operations.find(({ attributes }) => attributes['name'] === operation)?.attributes['timeout'];
  return (configured === undefined ? undefined : parseInterval(configured)) ?? DEFAULT_TIMEOUT_MS;
}
