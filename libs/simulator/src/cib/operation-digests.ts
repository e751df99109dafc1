import { countedParameters, ParameterDigests } from '@systole/cib';

/** Digests of operations as their results record them. */
export class OperationDigests {
  private readonly digests = new ParameterDigests();

  /** The digest of an action's parameters, meta-attributes aside (specification 08 §9.3). */
  of(parameters: Readonly<Record<string, string>>): string {
    return this.digests.of(countedParameters(new Map(Object.entries(parameters))));
  }
}
