import { element, type XmlElement } from '@systole/cib';
import { configured, existing, type NodeDraft, type ScenarioDraft } from './scenario-draft.js';
import { impliedResource } from './scenario-implied.js';
import { changed, plainSet } from './scenario-words.js';

/** The CIB of a scenario. */
export function cibDocument(draft: ScenarioDraft): XmlElement {
  if (draft.document) return draft.document;
  const extra = (section: string): readonly XmlElement[] => draft.sections.get(section) ?? [];
  const inside = new Set([...draft.resources.values()].flatMap(({ children }) => children));
  const top = [...draft.resources.keys()].filter((id) => !inside.has(id));
  return element('cib', changed(draft.root, {}), [
    element('configuration', {}, [
      element('crm_config', {}, [...plainSet('cluster_property_set', 'options', draft.options), ...extra('crm_config')]),
      element('nodes', {}, [...[...draft.nodes.values()].filter((node) => node.configured).map(nodeElement), ...extra('nodes')]),
      element('resources', {}, [...top.map((id) => resourceElement(draft, id)), ...extra('resources')]),
      element('constraints', {}, extra('constraints')),
      element('rsc_defaults', {}, [...plainSet('meta_attributes', 'rsc-defaults', draft.defaults), ...extra('rsc_defaults')]),
      element('op_defaults', {}, [...plainSet('meta_attributes', 'op-defaults', draft.opDefaults), ...extra('op_defaults')]),
      element('tags', {}, extra('tags')),
      ...extra('configuration'),
    ]),
    element('status', {}, [
      ...(draft.sections.has('tickets') ? [element('tickets', {}, extra('tickets'))] : []),
      ...extra('status'),
      ...[...draft.nodes.values()].flatMap((node) => stateElement(draft, node)),
    ]),
  ]);
}

function nodeElement(node: NodeDraft): XmlElement {
  return element('node', node.attributes, [
    ...plainSet('instance_attributes', `${node.id}-permanent`, node.permanent),
    ...plainSet('utilization', `${node.id}-utilization`, node.utilization),
    ...node.sets,
  ]);
}

function resourceElement(draft: ScenarioDraft, id: string): XmlElement {
  const resource = existing(draft, id);
  const operations = resource.ops.map(({ attributes, sets }, index) => element('op', { id: `${id}-op-${index}`, ...attributes }, sets));
  return element(resource.name, resource.attributes, [
    ...resource.before,
    ...resource.children.map((child) => resourceElement(draft, child)),
    ...plainSet('meta_attributes', `${id}-meta`, resource.meta),
    ...plainSet('instance_attributes', `${id}-params`, resource.params),
    ...plainSet('utilization', `${id}-utilization`, resource.utilization),
    ...(operations.length > 0 ? [element('operations', {}, operations)] : []),
    ...resource.after,
  ]);
}

function stateElement(draft: ScenarioDraft, node: NodeDraft): XmlElement[] {
  if (!node.state && node.history.size === 0 && node.locks.size === 0 && Object.keys(node.transient).length === 0) return [];
  const known = new Set([...node.history.keys(), ...node.locks.keys()]);
  const resources = [...known].map((id) => {
    const lock = node.locks.get(id);
    return element(
      'lrm_resource',
      { id, ...agentOf(draft, id), ...(lock === undefined ? {} : { 'shutdown-lock': lock }) },
      (node.history.get(id) ?? []).map((entry) => element('lrm_rsc_op', entry)),
    );
  });
  return [
    element('node_state', { id: node.attributes['id'] ?? node.id, uname: node.id, ...node.state }, [
      element('transient_attributes', { id: node.id }, plainSet('instance_attributes', `${node.id}-transient`, node.transient)),
      element('lrm', { id: node.id }, [element('lrm_resources', {}, resources)]),
      ...node.stateExtra,
    ]),
  ];
}

/** The agent under which history knows a resource: the configured one. */
function agentOf(draft: ScenarioDraft, id: string): Record<string, string> {
  const recorded = draft.recorded.get(id);
  if (recorded) return recorded;
  const implied = impliedResource(draft, id);
  if (implied) return implied.agent;
  const resource = configured(draft, id);
  const template = resource?.attributes['template'];
  const owner = template === undefined ? resource : draft.resources.get(template);
  const { class: standard = 'ocf', provider = owner ? undefined : 'acme', type = 'Service' } = owner?.attributes ?? {};
  return { class: standard, ...(provider === undefined ? {} : { provider }), type };
}
