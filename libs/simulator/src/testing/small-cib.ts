import { type Cib, readCib } from '@systole/cib';

/** A resource operation as history records it; by default it succeeded. */
export interface RecordedOperation {
  readonly resource: string;
  readonly node: string;
  readonly task: string;
  readonly interval?: number;
  readonly rc?: number;
  /** Default: the rc, so that the result is no failure. */
  readonly expected?: number;
  readonly pending?: boolean;
}

/** A node; by default a member that is online. */
export interface SmallNode {
  readonly name: string;
  /** Permanent attributes. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Capacities. */
  readonly utilization?: Readonly<Record<string, string>>;
  /** Further attributes of its `node_state`, or changes to the usual ones. */
  readonly state?: Readonly<Record<string, string>>;
}

export interface SmallCib {
  readonly nodes: readonly (string | SmallNode)[];
  readonly options?: Readonly<Record<string, string>>;
  /** Content of `resources` as XML. */
  readonly resources?: string;
  /** Content of `constraints` as XML. */
  readonly constraints?: string;
  /** In the order in which it happened on each node. */
  readonly history?: readonly RecordedOperation[];
  readonly status?: string;
}

const nvpairs = (owner: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value], index) => `<nvpair id="${owner}-${index}" name="${name}" value="${value}"/>`)
    .join('');

/** Builds a CIB of a few lines for a test. Node ids are `1`, `2`, … in their order; fencing is off unless the options say otherwise. */
export function smallCib({ nodes, options = {}, resources = '', constraints = '', history = [], status = '' }: SmallCib): Cib {
  const all = nodes.map((node): SmallNode => (typeof node === 'string' ? { name: node } : node));
  const set = nvpairs('opt', { 'fencing-enabled': 'false', ...options });
  return readCib(`<cib validate-with="pacemaker-4.0" have-quorum="true" dc-uuid="1"><configuration>
    <crm_config><cluster_property_set id="opt">${set}</cluster_property_set></crm_config>
    <nodes>${all.map((node, index) => configuredNode(node, index + 1)).join('')}</nodes>
    <resources>${resources}</resources>
    <constraints>${constraints}</constraints>
  </configuration>
  <status>${all.map((node, index) => nodeState(node, index + 1, history)).join('')}${status}</status></cib>`);
}

function configuredNode({ name, attributes = {}, utilization = {} }: SmallNode, id: number): string {
  return `<node id="${id}" uname="${name}"><instance_attributes id="na${id}">${nvpairs(`na${id}`, attributes)}</instance_attributes>
    <utilization id="nu${id}">${nvpairs(`nu${id}`, utilization)}</utilization></node>`;
}

function nodeState({ name, state = {} }: SmallNode, id: number, history: readonly RecordedOperation[]): string {
  const attributes = { id: String(id), uname: name, in_ccm: 'true', crmd: 'online', join: 'member', expected: 'member', ...state };
  const own = history.filter(({ node }) => node === name);
  const lists = [...new Set(own.map(({ resource }) => resource))].map((resource) => {
    const entries = own.filter((operation) => operation.resource === resource).map((operation, index) => entry(operation, index + 1));
    return `<lrm_resource id="${resource}" class="ocf" provider="systole" type="Dummy">${entries.join('')}</lrm_resource>`;
  });
  const text = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<node_state${text.join('')}><lrm id="${id}"><lrm_resources>${lists.join('')}</lrm_resources></lrm></node_state>`;
}

/** Digest of no parameters at all, which is what the resources of tests have. */
const EMPTY_DIGEST = 'f2317cad3d54cec5d7d7aa7d0bf35cf8';

function entry({ resource, node, task, interval = 0, rc = 0, expected = rc, pending = false }: RecordedOperation, callId: number): string {
  const key = `${resource}_${task}_${interval}`;
  const transition = `${callId}:1:${expected}:test`;
  const [status, result] = pending ? [-1, 193] : [rc === expected ? 0 : 4, rc];
  const id = rc !== expected ? `${resource}_last_failure_0` : interval > 0 ? key : `${resource}_${task}_0`;
  return `<lrm_rsc_op id="${id}" operation_key="${key}" operation="${task}" crm_feature_set="3.20.5" transition-key="${transition}"
    transition-magic="${status}:${result};${transition}" on_node="${node}" call-id="${pending ? -1 : callId}" rc-code="${result}" op-status="${status}"
    interval="${interval}" last-rc-change="${1_700_000_000 + callId}" exec-time="0" queue-time="0" op-digest="${EMPTY_DIGEST}"/>`;
}

/** A primitive of our own agent; the content is XML. */
export function primitive(id: string, content = '', agent = 'class="ocf" provider="systole" type="Dummy"'): string {
  return `<primitive id="${id}" ${agent}>${content}</primitive>`;
}

/** A block of meta-attributes. */
export function meta(owner: string, values: Readonly<Record<string, string>>): string {
  return `<meta_attributes id="${owner}-meta">${nvpairs(`${owner}-meta`, values)}</meta_attributes>`;
}
