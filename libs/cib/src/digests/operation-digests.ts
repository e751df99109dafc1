import { countedParameters, parameterDigest, restartParameters, secureParameters } from './parameter-digest.js';

/** Digests of an operation's parameters (specification 01 §11), which its result carries into the history. */
export interface OperationDigests {
  /** Of all parameters. */
  readonly opDigest: string;
  /** Names of the parameters whose change asks for a restart, separated by blanks. */
  readonly opForceRestart?: string;
  /** Of those parameters. */
  readonly opRestartDigest?: string;
  /** Names of the parameters that are secret, separated by blanks. */
  readonly opSecureParams?: string;
  /** Of all but the secret parameters. */
  readonly opSecureDigest?: string;
}

/** What an agent's meta-data say about its parameters, as far as a change of one is concerned. */
export interface ParameterTraits {
  /** Names of those whose change asks for a restart, in the order of the meta-data; absent for an agent that can't take up any change while it runs (`reload-agent`). */
  readonly restart?: readonly string[];
  /** Names of those that are private. */
  readonly secret: readonly string[];
}

/** What one version of an agent says about itself, as far as its {@link ParameterTraits} depend on it. */
export interface DescribedVersion {
  readonly parameters: readonly {
    readonly name: string;
    readonly reloadable: boolean;
    /** Absent: not that the agent says. */
    readonly private?: boolean | undefined;
  }[];
  /** Names of its actions. */
  readonly actions: readonly string[];
}

/** What holds whichever of these versions is run: what one of them can't reload asks for a restart, and what one of them calls private is. */
export function parameterTraits(versions: readonly DescribedVersion[]): ParameterTraits {
  const all = versions.flatMap(({ parameters }) => parameters);
  const secret = namesOf(all.filter((parameter) => parameter.private === true));
  const reloads = versions.every(({ actions }) => actions.includes('reload-agent'));
  return { secret, ...(reloads ? { restart: namesOf(all.filter(({ reloadable }) => !reloadable)) } : {}) };
}

function namesOf(parameters: readonly { readonly name: string }[]): readonly string[] {
  return [...new Set(parameters.map(({ name }) => name))];
}

/** Characters of a list of names that a result carries; a longer one is as if it was not known. */
const MOST_CHARS = 4_096;

/**
 * The digests of an operation, which the history keeps (specification 01 §11.3, 03 §12.4): of all parameters; of those whose change asks for a restart, of what does not recur; of all but the private ones. They are
 * made once, for the operation as it is carried out, so that later plans do not depend on what the meta-data say by then.
 *
 * @param attributes of the graph's action
 * @param traits undefined: nothing is known of the agent
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
