import { type ImpliedResource, impliedByBundle } from './scenario-bundle.js';
import type { ScenarioDraft } from './scenario-draft.js';

/** The resource of that id that another one implies: a guest's connection, or a part of a bundle; undefined when there is none. */
export function impliedResource(draft: ScenarioDraft, id: string): ImpliedResource | undefined {
  for (const { meta } of draft.resources.values()) {
    if (meta['remote-node'] !== id) continue;
    const ops = [{ attributes: { name: 'monitor', interval: '30s', timeout: '30s' }, sets: [] }];
    return { agent: { class: 'ocf', provider: 'pacemaker', type: 'remote' }, params: {}, ops };
  }
  return impliedByBundle(draft, id);
}
