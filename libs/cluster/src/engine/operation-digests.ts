import { countedParameters, parameterDigest, restartParameters, secureParameters } from '@systole/cib';
import type { OperationDigests } from '../events/cluster-event.js';

/** What an agent's meta-data say about its parameters, as far as a change of one is concerned. */
export interface ParameterTraits {
  /** Names of those whose change asks for a restart, in the order of the meta-data; absent for an agent that can't take up any change while it runs (`reload-agent`). */
  readonly restart?: readonly string[];
  /** Names of those that are private. */
  readonly secret: readonly string[];
}

/** Of which agent. */
export interface TraitsOf {
  readonly class: string;
  readonly provider?: string | undefined;
  readonly type: string;
}

/** Looks up what is known of an agent; undefined where its meta-data are not: then each change asks for a restart. */
export type KnownTraits = (agent: TraitsOf) => ParameterTraits | undefined;

/** Characters of a list of names that a result carries; a longer one is as if it was not known. */
const MOST_CHARS = 4_096;

/**
 * The digests of an operation, which its result brings back and the history keeps (specification 01 §11.3, 03 §12.4): of all parameters; of those whose change asks for a restart, of what does not recur; of all but the
 * private ones. They are made once, where the operation is handed out, so that later plans do not depend on what the meta-data say by then.
 *
 * @param attributes of the graph's action
 */
export function operationDigests(
  attributes: Readonly<Record<string, string>>,
  intervalMs: number,
  traits: ParameterTraits | undefined,
): OperationDigests {
  const counted = countedParameters(new Map(Object.entries(attributes)));
  const opDigest = parameterDigest(counted);
  if (traits === undefined) return { opDigest };
  const restart = traits.restart === undefined || intervalMs > 0 ? undefined : listOf(traits.restart);
  const secret = traits.secret.length === 0 ? undefined : listOf(traits.secret);
  return {
    opDigest,
    ...(restart === undefined ? {} : { opForceRestart: restart, opRestartDigest: parameterDigest(restartParameters(counted, restart)) }),
    ...(secret === undefined
      ? {}
      : {
          opSecureParams: secret,
          opSecureDigest: parameterDigest(
            secureParameters({ counted, resourceParameters: new Map(), privateNames: secret, modern: true, fencing: false }),
          ),
        }),
  };
}

/** As Pacemaker writes it: with a blank around each name, so that one can be found whole. Undefined where it is too long to be carried. */
function listOf(names: readonly string[]): string | undefined {
  const list = ` ${names.join('  ')} `;
  return list.length > MOST_CHARS ? undefined : list;
}
