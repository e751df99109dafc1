import type { ParameterTraits } from '@systole/cib';

export { parameterTraits, type ParameterTraits } from '@systole/cib';

/** Of which agent. */
export interface TraitsOf {
  readonly class: string;
  readonly provider?: string | undefined;
  readonly type: string;
}

/** Looks up what is known of an agent; undefined where its meta-data are not: then each change asks for a restart, unless the node's agent adds what they say. */
export type KnownTraits = (agent: TraitsOf) => ParameterTraits | undefined;
