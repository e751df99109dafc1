import { childElements, childrenNamed, element, firstChildNamed } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { withAttributes } from '../xml/rewrite.js';
import type { UpgradeLog } from './upgrade-log.js';

/** Names of the nodes that Heartbeat only pinged. */
export function pingNodesOf(document: XmlElement): readonly string[] {
  const configuration = firstChildNamed(document, 'configuration');
  const nodes = configuration === undefined ? undefined : firstChildNamed(configuration, 'nodes');
  return (nodes === undefined ? [] : childrenNamed(nodes, 'node'))
    .filter(isPingNode)
    .flatMap(({ attributes }) => attributes['uname'] ?? []);
}

function isPingNode({ attributes }: XmlElement): boolean {
  return attributes['type'] === 'ping';
}

/**
 * The nodes that are members. Those that Heartbeat only pinged never ran a cluster's programs: as members they would be waited for, counted for quorum, and fenced.
 */
export function withoutPingNodes(nodes: XmlElement, log: UpgradeLog): XmlElement {
  const pinged = childrenNamed(nodes, 'node').filter(isPingNode);
  if (pinged.length === 0) return nodes;
  for (const node of pinged) {
    log.droppedWhole(node, 'it was pinged, and is no node of the cluster: what is pinged is said in host_list of ocf:pacemaker:ping');
  }
  return { ...nodes, children: nodes.children.filter((child) => child.kind === 'comment' || !pinged.includes(child)) };
}

/** The agent that watched the connectivity of a node by a daemon of its own. */
export function isPingDaemon({ name, attributes }: XmlElement): boolean {
  const { class: standard, provider, type } = attributes;
  return name === 'primitive' && standard === 'ocf' && type === 'pingd' && (provider === 'heartbeat' || provider === 'pacemaker');
}

/** Parameters of the daemon that its successor does not have. */
const OF_THE_DAEMON: Readonly<Record<string, string>> = {
  interval: 'ocf:pacemaker:ping looks with each of its monitor operations',
  user: 'there is no daemon whose user it could be',
  section: 'the attribute is always one of the node, until its reboot',
  set: 'the attribute is always one of the node, until its reboot',
};

/** `ocf:pacemaker:ping`, which keeps the same attribute (`pingd`), but looks only when it is monitored, and must be told whom it pings. */
export function asPing(daemon: XmlElement, pingNodes: readonly string[], log: UpgradeLog): XmlElement {
  const { provider = '', id = '' } = daemon.attributes;
  log.rewritten(daemon, `ocf:${provider}:pingd is ocf:pacemaker:ping now, which is told the same and keeps the same attribute`);
  const children = daemon.children.map((child) => (isParameters(child) ? withoutDaemonParameters(child, log) : child));
  const ping = { ...withAttributes(daemon, { provider: 'pacemaker', type: 'ping' }), children };
  return withMonitor(withHosts(ping, { id, pingNodes, log }), id, log);
}

function isParameters(node: XmlNode): node is XmlElement {
  return node.kind === 'element' && node.name === 'instance_attributes';
}

function withoutDaemonParameters(set: XmlElement, log: UpgradeLog): XmlElement {
  const children = set.children.filter((child) => {
    const { name = '', value = '' } = child.kind === 'element' && child.name === 'nvpair' ? child.attributes : {};
    const why = Object.hasOwn(OF_THE_DAEMON, name) ? OF_THE_DAEMON[name] : undefined;
    if (why !== undefined && child.kind === 'element') log.dropped(child, `${name}="${value}": ${why}`);
    return why === undefined;
  });
  return children.length === set.children.length ? set : { ...set, children };
}

interface Hosts {
  readonly id: string;
  readonly pingNodes: readonly string[];
  readonly log: UpgradeLog;
}

function withHosts(ping: XmlElement, { id, pingNodes, log }: Hosts): XmlElement {
  const sets = ping.children.filter(isParameters);
  if (sets.some((set) => childrenNamed(set, 'nvpair').some(({ attributes }) => attributes['name'] === 'host_list'))) return ping;
  if (pingNodes.length === 0) {
    log.check(
      ping,
      'host_list is not given: pingd pinged the nodes that ha.cf named. ocf:pacemaker:ping does not run without it: give it the addresses',
    );
    return ping;
  }
  const value = pingNodes.join(' ');
  log.check(ping, `host_list was not given, and names the ping nodes of the document now: "${value}"`);
  const set = element('instance_attributes', { id: `${id}-hosts` }, [
    element('nvpair', { id: `${id}-host_list`, name: 'host_list', value }),
  ]);
  return { ...ping, children: [...ping.children, set] };
}

function withMonitor(ping: XmlElement, id: string, log: UpgradeLog): XmlElement {
  const operations = firstChildNamed(ping, 'operations');
  if (operations !== undefined && childElements(operations).some(({ attributes }) => attributes['name'] === 'monitor')) return ping;
  log.check(
    ping,
    'it had no monitor, and has one now, every 10s: the daemon looked by itself, ocf:pacemaker:ping looks when it is monitored',
  );
  const monitor = element('op', { id: `${id}-monitor-10s`, name: 'monitor', interval: '10s', timeout: '60s' });
  const filled =
    operations === undefined ? element('operations', {}, [monitor]) : { ...operations, children: [...operations.children, monitor] };
  const children =
    operations === undefined ? [...ping.children, filled] : ping.children.map((child) => (child === operations ? filled : child));
  return { ...ping, children };
}
