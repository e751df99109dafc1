import { sealSecrets, type NewSecret, type SealedFrom, type Sealing, type SecretMistake, type XmlElement } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import type { Decision, RejectionIssue } from './decision.js';
import { reject } from './rejection.js';

type Sealed =
  | {
      readonly ok: true;
      readonly cib: XmlElement;
      /** What goes with the event. */
      readonly kept: { readonly secrets?: readonly NewSecret[] };
    }
  | (Decision & { readonly ok: false });

/**
 * A configuration without the values of its secrets, before anything is decided or recorded of it. Refused is what can't be kept, or would be told to somebody whom it is not meant for.
 *
 * @param from undefined: secrets stay where they are
 */
export function sealed(state: ClusterState, cib: XmlElement, from: (SealedFrom & { readonly sealing: Sealing }) | undefined): Sealed {
  if (from === undefined) return { ok: true, cib, kept: {} };
  const { document, secrets, mistakes } = sealSecrets(cib, from.sealing, from);
  const [first] = mistakes;
  if (first !== undefined) {
    const more = mistakes.length > 1 ? ` (and ${String(mistakes.length - 1)} more)` : '';
    return reject(state, 'secret-refused', `${first.message}${more}`, { pointer: '/cib', issues: mistakes.map(issueOf) });
  }
  return { ok: true, cib: document, kept: secrets.length === 0 ? {} : { secrets } };
}

function issueOf({ message, path, line, attribute }: SecretMistake): RejectionIssue {
  return { message, path, attribute, ...(line === undefined ? {} : { line }) };
}
