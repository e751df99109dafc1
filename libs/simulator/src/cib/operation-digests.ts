import { countedParameters, parameterDigest } from '@systole/cib';

/** Digests of operations; equal parameters, of which a large cluster has many, are hashed once. */
export class OperationDigests {
  private readonly known = new Map<string, string>();

  /** The digest of an action's parameters, meta-attributes aside (specification 08 §9.3). */
  of(parameters: Readonly<Record<string, string>>): string {
    const counted = countedParameters(new Map(Object.entries(parameters)));
    const key = JSON.stringify([...counted]);
    let digest = this.known.get(key);
    if (digest === undefined) this.known.set(key, (digest = parameterDigest(counted)));
    return digest;
  }
}
