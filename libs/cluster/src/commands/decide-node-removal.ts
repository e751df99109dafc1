import { childElements, childrenNamed, firstChildNamed, replaceElement, type XmlElement } from '@systole/cib';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { configurationOf, remoteNodeNamed } from '../state/configuration.js';
import { mayRun } from '../state/stopping.js';
import type { Decision } from './decision.js';
import { changeConfiguration } from './configuration-change.js';
import type { RemoveNode } from './operator-command.js';
import { reject } from './rejection.js';

/** What is known of a node that left or is down is nothing that the scheduler reads without its entry: it needs no event of its own. */
export function removeNode({ type, node, cascade = false, reason }: RemoveNode, state: ClusterState): Decision {
  const implied = remoteNodeNamed(state.cib, node);
  if (implied !== undefined) {
    const by = implied.launcher === undefined ? `the primitive ${node}` : `the meta-attribute remote-node of ${implied.launcher}`;
    return reject(state, 'still-referred-to', `${node} is a ${implied.kind} node by ${by}: remove that`, { pointer: '/node' });
  }
  const configuration = configurationOf(state.cib);
  const section = firstChildNamed(configuration, 'nodes');
  const entry = section && childrenNamed(section, 'node').find(({ attributes }) => (attributes['uname'] ?? attributes['id']) === node);
  if (entry === undefined) return reject(state, 'node-not-found', `the configuration has no node ${node}`, { pointer: '/node' });
  const member = memberOf(state, node);
  if (member !== undefined && mayRun(member)) {
    const advice =
      member.membership === 'joined' ? 'stop its agent' : `fence it, or switch it off and run systole node confirm-down ${node}`;
    const message = `${node} is ${member.membership} and may run something: ${advice}, then remove it`;
    return reject(state, member.membership === 'joined' ? 'node-online' : 'still-active', message, { pointer: '/node' });
  }
  const referring = referringTo(configuration, node);
  if (referring.length > 0 && !cascade) {
    const issues = referring.map(({ element, path }) => ({
      message: `${element.name} ${element.attributes['id'] ?? ''} names ${node}`,
      path,
      about: { kind: element.name, id: element.attributes['id'] ?? '', to: node },
    }));
    const message = `${node} is named by ${referring.map(({ element }) => element.attributes['id'] ?? element.name).join(', ')}: remove these first, or take them along (cascade)`;
    return reject(state, 'still-referred-to', message, { pointer: '/node', issues });
  }
  const next = [entry, ...referring.map(({ element }) => element)].reduce(
    (cib, element) => replaceElement(cib, element, undefined),
    state.cib,
  );
  const given = { node, ...(cascade ? { cascade } : {}) };
  return changeConfiguration(state, next, { command: type, arguments: given, ...(reason === undefined ? {} : { reason }) });
}

interface Referring {
  readonly element: XmlElement;
  /** From the root. */
  readonly path: string;
}

/** What is about that node alone, and would be of no use without it. */
function referringTo(configuration: XmlElement, node: string): readonly Referring[] {
  const constraints = childrenOf(configuration, 'constraints').filter(
    (element) => element.name === 'rsc_location' && isAbout(element, node),
  );
  const levels = childrenOf(configuration, 'fencing-topology').filter(({ attributes }) => attributes['target'] === node);
  return [
    ...constraints.map((element) => ({ element, path: pathOf('constraints', element) })),
    ...levels.map((element) => ({ element, path: pathOf('fencing-topology', element) })),
  ];
}

function childrenOf(configuration: XmlElement, section: string): readonly XmlElement[] {
  const found = firstChildNamed(configuration, section);
  return found === undefined ? [] : childElements(found);
}

function pathOf(section: string, { name, attributes }: XmlElement): string {
  return `/cib/configuration/${section}/${name}[@id='${attributes['id'] ?? ''}']`;
}

/** Names it, or has one rule, that holds on that node only. */
function isAbout(location: XmlElement, node: string): boolean {
  if (location.attributes['node'] !== undefined) return location.attributes['node'] === node;
  const rules = childrenNamed(location, 'rule');
  const [rule] = rules;
  if (rule === undefined || rules.length > 1) return false;
  const expressions = childrenNamed(rule, 'expression').filter(
    ({ attributes: { attribute, operation, value } }) => attribute === '#uname' && operation === 'eq' && value === node,
  );
  return expressions.length > 0 && (rule.attributes['boolean-op'] !== 'or' || childElements(rule).length === 1);
}
