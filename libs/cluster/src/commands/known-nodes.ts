import { childrenNamed, element, firstChildNamed, readNodes, type XmlElement } from '@systole/cib';
import type { ClusterState, NodeMember } from '../state/cluster-state.js';
import { isClusterMember } from '../remote/remote-nodes.js';
import { configurationOf, editConfiguration, remoteNodes } from '../state/configuration.js';
import { mayRun } from '../state/stopping.js';
import { putOnly, withAttributes, withChildren } from '../state/tree.js';
import type { RejectionIssue } from './decision.js';

/**
 * What a document that replaces the configuration can't change about nodes that were heard of:
 * - One that may run resources stays configured, as a cluster node, though the document leaves it out, for without its entry nobody would look for those, nor fence it: who wants it gone stops its agent, fences it, or
 *   confirms that it is down first.
 * - Its id stays what it is, as its status stands under that.
 *
 * @returns the document made so, and what in it can't be
 */
export function withKnownNodes(
  cib: XmlElement,
  nodes: ClusterState['nodes'],
): { readonly cib: XmlElement; readonly issues: readonly RejectionIssue[] } {
  const members = new Map(Object.values(nodes).map((member) => [member.name, member]));
  const written = firstChildNamed(configurationOf(cib), 'nodes') ?? element('nodes');
  const section = withKnownIds(written, members);
  const named = new Set(childrenNamed(section, 'node').map(({ attributes }) => attributes['uname']));
  const left = [...members.values()].filter((member) => isClusterMember(member) && mayRun(member) && !named.has(member.name));
  const complete = withChildren(section, [...section.children, ...left.map(({ id, name }) => element('node', { id, uname: name }))]);
  const next = left.length === 0 ? section : complete;
  const edited = next === written ? cib : editConfiguration(cib, (configuration) => putOnly(configuration, next));
  return { cib: edited, issues: [...sharedIds(next), ...otherKinds(next, members), ...otherImplied(cib, members)] };
}

function withKnownIds(section: XmlElement, members: ReadonlyMap<string, NodeMember>): XmlElement {
  const children = section.children.map((child) => {
    const known = child.kind === 'element' && child.name === 'node' ? members.get(child.attributes['uname'] ?? '') : undefined;
    return known === undefined || child.kind !== 'element' ? child : withAttributes(child, { id: known.id });
  });
  return children.every((child, index) => child === section.children[index]) ? section : withChildren(section, children);
}

function sharedIds(section: XmlElement): readonly RejectionIssue[] {
  const owners = new Map<string, string>();
  return childrenNamed(section, 'node').flatMap(({ attributes: { id = '', uname = '' } }) => {
    const owner = owners.get(id);
    owners.set(id, owner ?? uname);
    if (owner === undefined) return [];
    return [
      {
        message: `node id ${id} would be that of ${owner} and ${uname}: nodes that the cluster knows keep theirs, give the other another one`,
      },
    ];
  });
}

function otherKinds(section: XmlElement, members: ReadonlyMap<string, NodeMember>): readonly RejectionIssue[] {
  return readNodes(section).nodes.flatMap(({ name, kind }) => {
    const member = members.get(name);
    if ((kind === 'member') === (member?.kind === undefined) || member === undefined || !mayRun(member)) return [];
    return [
      {
        message: `${name} is ${member.membership} as a ${member.kind ?? 'cluster'} node: it can't become another kind of node before it left or is down`,
      },
    ];
  });
}

/** Connections that would make a node of another kind of one that may run something. */
function otherImplied(cib: XmlElement, members: ReadonlyMap<string, NodeMember>): readonly RejectionIssue[] {
  return remoteNodes(cib).flatMap(({ name, kind }) => {
    const member = members.get(name);
    if (member === undefined || member.kind === kind || !mayRun(member)) return [];
    const message = `${name} is ${member.membership} as a ${member.kind ?? 'cluster'} node: it can't become a ${kind} node before it left or is down`;
    return [{ message }];
  });
}
