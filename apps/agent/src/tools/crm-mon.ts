import { element, serializeXml, type XmlElement } from '@systole/cib';
import { parseArguments } from './arguments.js';
import { CibView, type NodeView, type PrimitiveView } from './cib-view.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';

/** The version that the output claims; agents choose among spellings by it. */
const VERSION = '2.1.5';

/**
 * `crm_mon` as resource agents use it: one shot, as XML. Nodes with their states, and resources with their roles and where they are active, read from the
 * CIB's status. Everything else of crm_mon is the business of `systole status`.
 */
export async function crmMon(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const flags = ['-1', '--one-shot', '-r', '--inactive', '-n', '--group-by-node', '-A', '--show-node-attributes', '-R', '-o', '-f', '-V'];
  const { options } = parseArguments(call.args, [
    ...flags.map((spelling) => ({ name: spelling, spellings: [spelling], kind: 'flag' as const })),
    { name: 'xml', spellings: ['-X', '--as-xml'], kind: 'flag' },
    { name: 'format', spellings: ['--output-as'], kind: 'value' },
  ]);
  const modern = options['format'] === 'xml';
  if (options['xml'] === undefined && !modern) {
    throw new ToolFailure(EXIT.UNIMPLEMENTED, 'crm_mon: an agent gets XML only: --as-xml or --output-as=xml; people use `systole status`');
  }
  const view = CibView.parse(await cluster.cib());
  const body = [
    summary(view),
    nodes(view),
    element(
      'resources',
      {},
      view.primitives().flatMap((primitive) => resources(view, primitive)),
    ),
  ];
  const root = modern
    ? element('pacemaker-result', { 'api-version': '2.25', request: ['crm_mon', ...call.args].join(' ') }, body)
    : element('crm_mon', { version: VERSION }, body);
  return { stdout: `<?xml version="1.0"?>\n${serializeXml(root)}`, stderr: '', exitCode: EXIT.OK };
}

function summary(view: CibView): XmlElement {
  return element('summary', {}, [
    element('current_dc', { present: 'true', version: VERSION, with_quorum: String(view.quorate) }),
    element('nodes_configured', { number: String(view.nodes().length) }),
    element('resources_configured', { number: String(view.primitives().length) }),
  ]);
}

function nodes(view: CibView): XmlElement {
  return element(
    'nodes',
    {},
    view.nodes().map((node) => element('node', nodeAttributes(view, node))),
  );
}

function nodeAttributes(view: CibView, { id, name, online }: NodeView): Record<string, string> {
  const expected = view.nodeState(name)?.attributes['expected'] === 'member';
  return {
    name,
    id,
    online: String(online),
    standby: String(view.isSet(name, 'standby')),
    standby_onfail: 'false',
    maintenance: String(view.isSet(name, 'maintenance')),
    pending: 'false',
    unclean: String(expected && !online),
    shutdown: 'false',
    expected_up: String(expected),
    is_dc: 'false',
    resources_running: String(view.primitives().filter((primitive) => view.role(name, primitive.id) !== 'Stopped').length),
    type: 'member',
  };
}

/** One element for each node where the resource is active, or one for a resource that is nowhere. */
function resources(view: CibView, primitive: PrimitiveView): XmlElement[] {
  const active = view
    .nodes()
    .filter(({ online }) => online)
    .map(({ id, name }) => ({ id, name, role: view.role(name, primitive.id) }))
    .filter(({ role }) => role !== 'Stopped');
  if (active.length === 0) return [resource(primitive, 'Stopped', [])];
  return active.map(({ id, name, role }) =>
    resource(primitive, role === 'Started' && primitive.promotable ? 'Unpromoted' : role, [element('node', { name, id, cached: 'true' })]),
  );
}

function resource({ id, agent, managed }: PrimitiveView, role: string, runningOn: readonly XmlElement[]): XmlElement {
  return element(
    'resource',
    {
      id,
      resource_agent: agent,
      role,
      active: String(runningOn.length > 0),
      orphaned: 'false',
      blocked: 'false',
      managed: String(managed),
      failed: 'false',
      failure_ignored: 'false',
      nodes_running_on: String(runningOn.length),
    },
    runningOn,
  );
}
