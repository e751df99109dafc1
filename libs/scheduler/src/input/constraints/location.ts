import { childElements, posixPattern, type XmlElement } from '@systole/cib';
import { parameters } from '../../operations/parameters.js';
import type { Cluster } from '../../model/cluster.js';
import { ProbeMode } from '../../model/candidates.js';
import { sameText } from '../../model/names.js';
import type { ClusterNode } from '../../model/node.js';
import { keepLocation } from './keep-location.js';
import type { Resource } from '../../model/resource.js';
import { parseRole, RoleLevel } from '../../model/role.js';
import { currentNode } from '../../model/activity.js';
import { forEachNamed, hasSets } from './references.js';

/** What of a location constraint holds for every resource that it names. */
interface Target {
  readonly constraint: XmlElement;
  readonly resource: Resource;
  readonly role: string | undefined;
  readonly score: string | undefined;
  readonly submatches: readonly (string | undefined)[] | undefined;
}

/** `rsc_location` (specification 04 §4). */
export function unpackLocation(cluster: Cluster, constraint: XmlElement): void {
  const { id, 'rsc-pattern': pattern, role, score } = constraint.attributes;
  if (id === undefined) return;
  const complete = forEachNamed(cluster, constraint, 'Location', 'role', (resource, set) => {
    const own = set?.attributes ?? {};
    addLocation(cluster, { constraint, resource, role: own['role'] ?? role, score: own['score'] ?? score, submatches: undefined });
  });
  if (complete && pattern !== undefined && !hasSets(constraint)) unpackPattern(cluster, constraint, pattern);
}

function unpackPattern(cluster: Cluster, constraint: XmlElement, pattern: string): void {
  const inverted = pattern.startsWith('!');
  const match = posixPattern(inverted ? pattern.slice(1) : pattern);
  if (!match) {
    cluster.error(`Ignoring location constraint ${constraint.attributes['id'] ?? ''}: "${pattern}" is no regular expression`);
    return;
  }
  for (const resource of cluster.resources) {
    const groups = match(resource.id);
    if ((groups === undefined) !== inverted) continue;
    addLocation(cluster, {
      constraint,
      resource,
      role: constraint.attributes['role'],
      score: constraint.attributes['score'],
      submatches: groups,
    });
  }
}

function addLocation(cluster: Cluster, target: Target): void {
  const { constraint, resource, score } = target;
  const { id = '', node: nodeName } = constraint.attributes;
  const probeMode = discoveryMode(cluster, constraint);
  if (nodeName !== undefined && score !== undefined) {
    const node = cluster.nodeByName(nodeName);
    const value = cluster.score(score);
    const role = limitingRole(target.role);
    if (!node || value === undefined || role === 'invalid') {
      const wrong = !node
        ? `there is no node "${nodeName}"`
        : value === undefined
          ? `its score "${score}" is none`
          : `its role "${target.role ?? ''}" is none`;
      cluster.error(`Ignoring location constraint ${id}: ${wrong}`);
      return;
    }
    keepLocation(cluster, { id, cause: { kind: 'location', constraint: id }, resource, role, nodes: [{ node, score: value }], probeMode });
    return;
  }
  const rule = childElements(constraint).find(({ name }) => name === 'rule');
  if (rule) addRule(cluster, target, rule, probeMode);
}

/**
 * A constraint with a rule: nodes that pass, with the rule's score or a node attribute as score. Roles of the constraint and its sets
 * don't count beside a rule (specification 04 §4.3).
 */
function addRule(cluster: Cluster, target: Target, written: XmlElement, probeMode: ProbeMode): void {
  const { constraint, resource, submatches } = target;
  const { id = '' } = constraint.attributes;
  const rule = cluster.cib.resolve(written);
  const { id: ruleId, role: ruleRole, score, 'score-attribute': scoreAttribute, 'boolean-op': operator } = rule?.attributes ?? {};
  const role = limitingRole(ruleRole);
  const fixed = scoreAttribute === undefined && score !== undefined ? cluster.score(score) : undefined;
  const validOperator = operator === undefined || sameText(operator, 'and') || sameText(operator, 'or');
  if (!rule || ruleId === undefined || role === 'invalid' || !validOperator || (scoreAttribute === undefined && fixed === undefined)) {
    cluster.error(`Ignoring location constraint ${id}: its rule is not valid`);
    return;
  }
  const attribute = scoreAttribute === undefined ? undefined : cluster.cib.expandSubmatches(scoreAttribute, submatches);
  const nodes: { node: ClusterNode; score: number }[] = [];
  for (const node of cluster.nodes) {
    const input = {
      nodeAttributes: node.attributes,
      parameters: parameters(cluster, resource, node),
      metaAttributes: resource.meta,
      submatches,
    };
    if (!cluster.cib.passes(rule, input)) continue;
    const value = attribute === undefined ? fixed : attributeScore(cluster, resource, node, attribute);
    if (value !== undefined) nodes.push({ node, score: value });
  }
  keepLocation(cluster, { id, cause: { kind: 'location', constraint: id }, resource, role, nodes, probeMode });
}

/** The score that a node attribute holds; read from a guest's host where the resource says so (specification 04 §4.3 rule 2). */
function attributeScore(cluster: Cluster, resource: Resource, node: ClusterNode, attribute: string): number | undefined {
  let source: ClusterNode | undefined = node;
  if (node.isGuest && resource.meta.get('container-attribute-target') === 'host') {
    const launcher = node.connection?.launcher;
    source = launcher && currentNode(launcher);
  }
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

function discoveryMode(cluster: Cluster, constraint: XmlElement): ProbeMode {
  const text = constraint.attributes['resource-discovery']?.toLowerCase();
  switch (text) {
    case 'never':
      return ProbeMode.Never;
    case 'exclusive':
      return ProbeMode.Exclusive;
    case undefined:
    case 'always':
      return ProbeMode.Always;
    default:
      cluster.error(`Location constraint ${constraint.attributes['id'] ?? ''}: "${text}" is no resource-discovery; using "always"`);
      return ProbeMode.Always;
  }
}
