import { childElements, type XmlElement } from '@systole/cib';
import { currentNode } from '../../model/activity.js';
import type { Cluster } from '../../model/cluster.js';
import type { LocationConstraint } from '../../model/constraints.js';
import { sameText } from '../../model/names.js';
import type { ClusterNode } from '../../model/node.js';
import type { Resource } from '../../model/resource.js';
import { parseRole, RoleLevel } from '../../model/role.js';
import { AskedOnNode, AskedResource, type Submatches } from './asked-resource.js';

type ScoredNodes = LocationConstraint['nodes'];

/** What a location constraint says of nodes. */
export interface LocationScores {
  readonly role: RoleLevel | undefined;
  readonly nodesFor: (resource: Resource, submatches: Submatches) => ScoredNodes;
}

/** As they count for a set, or for what the constraint itself names. */
interface Written {
  readonly role: string | undefined;
  readonly score: string | undefined;
}

/** Reads the plain form, else the rule (specification 04 §4.2, §4.3); undefined for a constraint without effect, which is told. */
export function scoresOf(cluster: Cluster, constraint: XmlElement, written: Written): LocationScores | undefined {
  const { node, id = '' } = constraint.attributes;
  if (node !== undefined && written.score !== undefined) return plainScores(cluster, id, node, written.score, written.role);
  const rule = childElements(constraint).find(({ name }) => name === 'rule');
  return rule && ruleScores(cluster, id, rule);
}

function plainScores(cluster: Cluster, id: string, name: string, score: string, written: string | undefined): LocationScores | undefined {
  const node = cluster.nodeByName(name);
  const value = cluster.score(score);
  const role = limitingRole(written);
  if (node && value !== undefined && role !== 'invalid') {
    const nodes = [{ node, score: value }];
    return { role, nodesFor: () => nodes };
  }
  const wrong = !node
    ? `there is no node "${name}"`
    : value === undefined
      ? `its score "${score}" is none`
      : `its role "${written ?? ''}" is none`;
  cluster.error(`Ignoring location constraint ${id}: ${wrong}`);
  return undefined;
}

/**
 * A constraint with a rule: nodes that pass, with the rule's score or a node attribute as score. Roles of the constraint and its sets
 * don't count beside a rule (specification 04 §4.3).
 */
function ruleScores(cluster: Cluster, id: string, written: XmlElement): LocationScores | undefined {
  const rule = cluster.cib.resolve(written);
  const { id: ruleId, role: ruleRole, score, 'score-attribute': scoreAttribute, 'boolean-op': operator } = rule?.attributes ?? {};
  const role = limitingRole(ruleRole);
  const fixed = scoreAttribute === undefined && score !== undefined ? cluster.score(score) : undefined;
  const validOperator = operator === undefined || sameText(operator, 'and') || sameText(operator, 'or');
  if (!rule || ruleId === undefined || role === 'invalid' || !validOperator || (scoreAttribute === undefined && fixed === undefined)) {
    cluster.error(`Ignoring location constraint ${id}: its rule is not valid`);
    return undefined;
  }
  const scoreFor = (asked: AskedResource, node: ClusterNode): number | undefined => {
    if (!cluster.cib.passes(rule, new AskedOnNode(asked, node))) return undefined;
    return scoreAttribute === undefined ? fixed : attributeScore(cluster, asked, node, scoreAttribute);
  };
  let ofAll: ScoredNodes | undefined;
  const nodesFor = (resource: Resource, submatches: Submatches): ScoredNodes => {
    if (ofAll !== undefined) return ofAll;
    const asked = new AskedResource(cluster, resource, submatches);
    const nodes: { node: ClusterNode; score: number }[] = [];
    for (const node of cluster.nodes) {
      const value = scoreFor(asked, node);
      if (value !== undefined) nodes.push({ node, score: value });
    }
    if (!asked.counts) ofAll = nodes;
    return nodes;
  };
  return { role, nodesFor };
}

/** The score that a node attribute holds; read from a guest's host where the resource says so (specification 04 §4.3 rule 2). */
function attributeScore(cluster: Cluster, asked: AskedResource, node: ClusterNode, written: string): number | undefined {
  let source: ClusterNode | undefined = node;
  if (node.isGuest && asked.meta.get('container-attribute-target') === 'host') {
    const launcher = node.connection?.launcher;
    source = launcher && currentNode(launcher);
  }
  const attribute = written.includes('%') ? cluster.cib.expandSubmatches(written, asked.submatches) : written;
  const text = source?.attributes.get(attribute);
  return text === undefined ? undefined : cluster.score(text);
}

/** Roles that don't limit are undefined (specification 04 §4.4). */
function limitingRole(text: string | undefined): RoleLevel | undefined | 'invalid' {
  if (text === undefined) return undefined;
  switch (parseRole(text)) {
    case RoleLevel.Started:
    case RoleLevel.Unpromoted:
      return undefined;
    case RoleLevel.Promoted:
      return RoleLevel.Promoted;
    case RoleLevel.Stopped:
      return RoleLevel.Stopped;
    default:
      return 'invalid';
  }
}
