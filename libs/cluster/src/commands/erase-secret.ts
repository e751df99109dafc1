import type { EraseSecret } from './cluster-command.js';
import type { Decision } from './decision.js';
import { accept } from './rejection.js';

/** The configuration stays as it is: what still refers to the secret fails from now on, and says why. */
export function eraseSecret({ secret, owner, parameter, reason }: EraseSecret): Decision {
  return accept({ type: 'SecretErased', data: { secret, owner, parameter, ...(reason === undefined ? {} : { reason }) } });
}
