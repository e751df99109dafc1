import {
  banConstraint,
  changeDocument,
  childElements,
  descendants,
  editSection,
  firstChildNamed,
  lifetimeEnd,
  parseXml,
  placementConstraints,
  preferConstraint,
  replaceElement,
  serializeXml,
  utc,
  withNamedValue,
  withSectionValue,
  type NamedValue,
  type NvpairSetName,
  type PlacementConstraint,
  type XmlElement,
} from '@systole/cib';
import type { ToolRequest } from '@systole/protocol';
import { EXIT, ToolFailure } from '../tool.js';
import { WRITE_EXIT } from './tool-exits.js';
import { resourceIn, sectionOf } from './written-values.js';

/**
 * A file in the place of the cluster, with what is asked for written into it: changes by element, values, and what moves and bans leave behind, as pcs has it done to a copy before it sends the difference. Whoever reads the copy
 * in checks it then.
 *
 * @param now epoch seconds
 * @throws {ToolFailure} for what asks a cluster, not a document
 */
export function writtenToFile(text: string, request: ToolRequest, now: number): string {
  const document = parseXml(text);
  switch (request.ask) {
    case 'change-document':
      return serializeXml(changed(document, request));
    case 'move':
    case 'ban':
      return serializeXml(placed(document, request, now));
    case 'clear':
      return serializeXml(
        without(
          document,
          placementConstraints(document, request.resource).filter(({ node }) => isMeant(node, request)),
        ),
      );
    case 'set-section-value': {
      const { section, name, value, set } = request;
      return serializeXml(withSectionValue(document, section, { name, ...valueIn(value), ...(set === undefined ? {} : { setId: set }) }));
    }
    case 'set-resource-value': {
      const { resource, kind, name, value } = request;
      const owner = ownerOf(text, resource, kind);
      return serializeXml(valued(document, (one) => one.attributes['id'] === owner, { set: kind, name, ...valueIn(value) }));
    }
    case 'set-node-attribute':
    case 'set-node-utilization': {
      const set = request.ask === 'set-node-attribute' ? 'instance_attributes' : 'utilization';
      return serializeXml(nodeValued(document, request, set));
    }
    default:
      throw new ToolFailure(
        EXIT.UNIMPLEMENTED,
        'of a file (CIB_file) only the configuration is written, by cibadmin and crm_resource: nothing was changed',
      );
  }
}

const valueIn = (value: string | null): { readonly value: string | undefined } => ({ value: value ?? undefined });

/** A meta-attribute of what stands in a clone is the clone's, as with a cluster. */
function ownerOf(text: string, id: string, kind: NvpairSetName): string {
  const found = resourceIn(text, id);
  if (found === undefined) throw new ToolFailure(EXIT.NO_SUCH, `Resource '${id}' not found\nError performing operation: No such object`);
  const { parent } = found;
  return kind === 'meta_attributes' && parent !== undefined && parent.name !== 'group' ? (parent.attributes['id'] ?? id) : id;
}

function nodeValued(
  document: XmlElement,
  { node, name, value }: { readonly node: string; readonly name: string; readonly value: string | null },
  set: 'instance_attributes' | 'utilization',
): XmlElement {
  const isMeant = (one: XmlElement): boolean => one.name === 'node' && (one.attributes['uname'] ?? one.attributes['id']) === node;
  const nodes = sectionOf(serializeXml(document), 'nodes');
  const found = (nodes === undefined ? [] : childElements(nodes)).find(isMeant);
  if (found === undefined) throw new ToolFailure(EXIT.NO_SUCH, `Could not map name=${node} to a UUID`);
  const id = found.attributes['id'] ?? '';
  const setId = set === 'utilization' ? `nodes-${id}-utilization` : `nodes-${id}`;
  return valued(document, isMeant, { set, name, ...valueIn(value), setId });
}

/** The document with a value of the first element of its configuration that is meant. */
function valued(document: XmlElement, isMeant: (one: XmlElement) => boolean, value: NamedValue): XmlElement {
  const configuration = firstChildNamed(document, 'configuration');
  const found = configuration && [...descendants(configuration)].find(isMeant);
  return found === undefined ? document : replaceElement(document, found, withNamedValue(document, found, value));
}

type Asks<Kind extends ToolRequest['ask']> = Extract<ToolRequest, { readonly ask: Kind }>;

function changed(document: XmlElement, { changes }: Asks<'change-document'>): XmlElement {
  const configuration = firstChildNamed(document, 'configuration');
  if (configuration === undefined) throw new ToolFailure(WRITE_EXIT.CONFIGURATION, 'the file has no configuration');
  const next = changeDocument(configuration, changes);
  if (!next.ok) throw new ToolFailure(next.fault.kind === 'exists' ? WRITE_EXIT.EXISTS : EXIT.NO_SUCH, next.fault.message);
  return { ...document, children: document.children.map((child) => (child === configuration ? next.configuration : child)) };
}

function placed(document: XmlElement, { ask, resource, node, promoted, lifetime }: Asks<'move' | 'ban'>, now: number): XmlElement {
  if (node === undefined)
    throw new ToolFailure(EXIT.UNIMPLEMENTED, 'of a file nobody tells where a resource is active: name the node with -N');
  const until = lifetime === undefined ? undefined : lifetimeEnd(lifetime, utc(now));
  if (lifetime !== undefined && until === undefined) throw new ToolFailure(EXIT.USAGE, `${lifetime} is no duration`);
  const wish = { resource, node, role: promoted === true ? ('Promoted' as const) : ('Started' as const), until };
  // What of old is in the way of the wish goes, as with a cluster.
  const outdated = placementConstraints(document, resource).filter((one) =>
    ask === 'move' ? one.kind === 'prefer' || one.node === node : one.kind === 'ban' && one.node === node,
  );
  const cleared = without(document, outdated);
  const constraint = ask === 'move' ? preferConstraint(wish) : banConstraint(wish);
  return editSection(cleared, 'constraints', (section) => ({ ...section, children: [...section.children, constraint] }));
}

function isMeant(node: string | undefined, request: Asks<'clear'>): boolean {
  if (request.expired === true) throw new ToolFailure(EXIT.UNIMPLEMENTED, '--expired is of a cluster, not of a file');
  return request.node === undefined || node === request.node;
}

function without(document: XmlElement, gone: readonly PlacementConstraint[]): XmlElement {
  const elements = new Set(gone.map(({ element: one }) => one));
  return editSection(document, 'constraints', (section) => ({
    ...section,
    children: section.children.filter((child) => child.kind !== 'element' || !elements.has(child)),
  }));
}
