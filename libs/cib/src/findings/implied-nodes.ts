import { CibIndex, descendants } from '../document/cib-index.js';
import { perPart } from '../document/per-part.js';
import { readNodes } from '../reading/nodes.js';
import { impliedNodes, isConnectionAgent, literalMeta, type ImpliedNode } from '../reading/remote-nodes.js';
import { expandTemplate } from '../reading/template.js';
import { childElements, childrenNamed, firstChildNamed, type XmlElement } from '../xml/element.js';
import type { ConfigurationFinding } from './finding.js';
import { placedFindings, type FoundAt } from './placed-findings.js';

const RESOURCES: ReadonlySet<string> = new Set(['primitive', 'group', 'clone', 'bundle']);

/**
 * What was meant to make a remote or guest node, and does not (specification 03 §1.2), and names of such nodes that something else has: their connections go by them.
 *
 * @param document a whole CIB
 */
export function impliedNodeFindings(document: XmlElement): readonly ConfigurationFinding[] {
  const configuration = firstChildNamed(document, 'configuration');
  const section = configuration && firstChildNamed(configuration, 'resources');
  if (configuration === undefined || section === undefined) return [];
  const index = new CibIndex(document);
  const found = [...childElements(section).flatMap((child) => idleIn(child, index)), ...takenNames(configuration, section)];
  return placedFindings(configuration, found);
}

function idleIn(child: XmlElement, index: CibIndex): readonly FoundAt[] {
  return usesTemplate(child) ? [...idleBelow(child, index)] : idleAlone(child);
}

/** Without a template a part says all of it by itself. */
const idleAlone = perPart((part): readonly FoundAt[] => {
  const found = [...idleBelow(part, new CibIndex(part))];
  return found.length === 0 ? NOTHING : found;
});
const NOTHING: readonly FoundAt[] = [];

const usesTemplate = perPart((part) => {
  for (const { attributes } of descendants(part)) if (attributes['template'] !== undefined) return true;
  return false;
});

function* idleBelow(element: XmlElement, index: CibIndex): Generator<FoundAt> {
  if (element.name === 'template' && literalMeta(element).has('remote-node'))
    yield idle(element, 'a template makes no guest node: give remote-node to the resource');
  if (element.name === 'primitive' && !isConnectionAgent(element.attributes) && isConnection(element, index))
    yield idle(element, 'a connection that is made of a template makes no remote node: write class, provider and type on it');
  if (element.name !== 'group' && element.name !== 'clone') return;
  for (const primitive of primitivesBelow(element)) {
    if (isConnection(primitive, index)) yield idle(primitive, `a connection in a ${element.name} makes no remote node: take it out`);
    else if (element.name === 'clone' && literalMeta(primitive).has('remote-node'))
      yield idle(primitive, 'remote-node: a resource in a clone makes no guest node: take it out');
  }
}

function primitivesBelow(element: XmlElement): readonly XmlElement[] {
  return childElements(element).flatMap((child) =>
    child.name === 'primitive' ? [child] : child.name === 'group' ? childrenNamed(child, 'primitive') : [],
  );
}

function isConnection(primitive: XmlElement, index: CibIndex): boolean {
  const whole = expandTemplate(index, primitive);
  return whole !== undefined && isConnectionAgent(whole.attributes);
}

function idle(at: XmlElement, message: string): FoundAt {
  return { at, kind: 'not-done', level: 'error', subject: at.attributes['id'] ?? at.name, message, meanwhile: 'there is no such node' };
}

function* takenNames(configuration: XmlElement, section: XmlElement): Generator<FoundAt> {
  const implied = impliedNodes(section).filter(({ bundle }) => bundle === undefined);
  if (implied.length === 0) return;
  const members = new Set(
    readNodes(firstChildNamed(configuration, 'nodes')).nodes.flatMap(({ name, kind }) => (kind === 'member' ? [name] : [])),
  );
  const resources = new Map(resourcesBelow(section).map((element) => [element.attributes['id'], element]));
  const before = new Set<string>();
  for (const node of implied) {
    const owner = ownerOf(node, { members, resources, before });
    before.add(node.name);
    const at = resources.get(node.launcher ?? node.name);
    if (owner === undefined || at === undefined) continue;
    yield {
      ...{ at, kind: 'repeated-node', level: 'error', subject: at.attributes['id'] ?? at.name },
      message: `${node.name} is the name of ${owner}, too: give the ${node.kind} node a name of its own`,
      meanwhile: 'its connection and the other are taken for one another',
    };
  }
}

function ownerOf(
  { name, kind }: ImpliedNode,
  {
    members,
    resources,
    before,
  }: {
    readonly members: ReadonlySet<string>;
    readonly resources: ReadonlyMap<string | undefined, XmlElement>;
    readonly before: ReadonlySet<string>;
  },
): string | undefined {
  if (members.has(name)) return 'a cluster node';
  if (kind === 'guest' && resources.has(name)) return 'a resource';
  return before.has(name) ? 'another remote or guest node' : undefined;
}

function resourcesBelow(element: XmlElement): readonly XmlElement[] {
  return childElements(element)
    .filter(({ name }) => RESOURCES.has(name))
    .flatMap((child) => [child, ...resourcesBelow(child)]);
}
