import type { KnownTraits } from '@systole/cluster';

/** What nodes have told of the parameters of their agents. */
export interface AgentTraits {
  /** As it is known now. Never fails: what can't be read is not known, and each change asks for a restart. */
  of(clusterId: string): Promise<KnownTraits>;
}

/** Where nobody tells. */
export const NO_TRAITS: AgentTraits = { of: () => Promise.resolve(() => undefined) };
