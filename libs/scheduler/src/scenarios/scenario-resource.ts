import { element, type XmlElement } from '@systole/cib';
import type { ResourceDraft, ScenarioDraft } from './scenario-draft.js';

/**
 * Adds a resource of that kind with the children that the words name. Pairs are its meta-attributes but for `agent`, `template`, `param:NAME` and
 * `util:NAME`; those of a bundle are its container's and its network's attributes.
 */
export function addResource(
  draft: ScenarioDraft,
  kind: string,
  [id = '', ...children]: readonly string[],
  pairs: Record<string, string>,
): void {
  const resource: ResourceDraft = {
    name: kind,
    attributes: { id },
    meta: {},
    params: {},
    utilization: {},
    ops: [],
    children,
    before: [],
    after: [],
  };
  draft.resources.set(id, resource);
  if (kind === 'bundle') {
    resource.before.push(...container(pairs));
    return;
  }
  const { agent = 'ocf:acme:Service', template, ...settings } = pairs;
  if (template !== undefined) resource.attributes['template'] = template;
  else if (kind === 'primitive' || kind === 'template') Object.assign(resource.attributes, agentAttributes(agent));
  for (const [key, value] of Object.entries(settings)) {
    if (key.startsWith('param:')) resource.params[key.slice(6)] = value;
    else if (key.startsWith('util:')) resource.utilization[key.slice(5)] = value;
    else resource.meta[key] = value;
  }
}

/** `class:provider:type` or `class:type` as XML attributes. */
export function agentAttributes(agent: string): Record<string, string> {
  const [standard = '', second = '', third] = agent.split(':');
  return third === undefined ? { class: standard, type: second } : { class: standard, provider: second, type: third };
}

const containerSettings = ['replicas', 'promoted-max', 'replicas-per-host', 'network', 'run-command', 'options'];

function container({ image = 'image', engine = 'podman', ...pairs }: Record<string, string>): XmlElement[] {
  const of = (name: string): boolean => containerSettings.includes(name);
  const settings = Object.entries(pairs);
  return [
    element(engine, { image, ...Object.fromEntries(settings.filter(([name]) => of(name))) }),
    element('network', Object.fromEntries(settings.filter(([name]) => !of(name)))),
  ];
}
