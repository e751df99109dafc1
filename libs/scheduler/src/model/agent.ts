import type { XmlElement } from '@systole/cib';

/** Of which agent a history or a resource is. All have the same form, so that they are compared at once. */
export interface Agent {
  readonly standard: string | undefined;
  readonly provider: string | undefined;
  readonly type: string | undefined;
}

/** The agent that an element names. */
export function agentOf({ attributes: { class: standard, provider, type } }: XmlElement): Agent {
  return { standard, provider, type };
}

/** Whether two are the same agent, names compared exactly. */
export function isSameAgent(a: Agent, b: Agent): boolean {
  return a.type === b.type && a.standard === b.standard && a.provider === b.provider;
}
