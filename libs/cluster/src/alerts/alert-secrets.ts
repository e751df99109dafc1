import { alertAgentKey, heldIdIn, type HeldSecret } from '@systole/cib';
import type { ActionSecrets } from '../engine/action-secrets.js';
import type { AlertOrder } from './alert-orders.js';

/** Ids of the secrets that the options of alerts refer to; each once. */
export function alertSecretIds(orders: readonly Pick<AlertOrder, 'call'>[]): readonly string[] {
  return [...new Set(orders.flatMap(({ call }) => Object.values(call.options).flatMap((value) => heldIdIn(value) ?? [])))];
}

/**
 * The values that the options of an alert refer to, for whoever runs it; nothing of this is stored. A value goes to the alert or recipient that it was given for, with the program
 * that it was given for, and to no other. That of a secret of before programs were written down is the one that stands: a change of it is refused where it is written. What the server's keys do not open is neither
 * given nor withheld: the node says that it was not given.
 */
export function withAlertSecrets(
  { alert, recipient, call }: Pick<AlertOrder, 'alert' | 'recipient' | 'call'>,
  held: Readonly<Record<string, HeldSecret>>,
): ActionSecrets {
  const secrets: Record<string, string> = {};
  const withheld: Record<string, string> = {};
  for (const [option, reference] of Object.entries(call.options)) {
    const id = heldIdIn(reference);
    if (id === undefined) continue;
    const secret = Object.hasOwn(held, id) ? held[id] : undefined;
    if (secret === undefined) withheld[reference] = 'the server does not have this secret: give its value anew';
    else if (secret.erased === true) withheld[reference] = 'the secret was erased: give its value anew';
    else if (secret.parameter !== option || (secret.owner !== alert && secret.owner !== recipient)) {
      withheld[reference] =
        `the secret was given for ${secret.parameter} of ${secret.owner}, and is not told to others: give its value anew`;
    } else if (secret.agents.length > 0 && !secret.agents.includes(alertAgentKey(call.path))) {
      withheld[reference] = `the secret was given for ${secret.agents.join(', ')}, and is not told to ${call.path}: give its value anew`;
    } else if (secret.value !== undefined) secrets[reference] = secret.value;
  }
  return {
    ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
    ...(Object.keys(withheld).length === 0 ? {} : { withheld }),
  };
}
