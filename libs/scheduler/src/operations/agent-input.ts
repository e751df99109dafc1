import type { RuleInput } from '../model/cib-context.js';
import type { Resource } from '../model/resource.js';

/** Rule input of a resource: its agent, for primitives only (specification 01 §4.2). */
export function agentInput(resource: Resource): RuleInput {
  const { class: standard, provider, type } = resource.element.attributes;
  return { resource: resource.isPrimitive ? { standard, provider, type } : {} };
}
