import { agentKey, heldIdIn, isMeantFor, type HeldSecret, type XmlElement } from '@systole/cib';
import type { AgentAction } from './agent-action.js';

/** What an action is given with, besides what is stored of it. */
export interface ActionSecrets {
  /** Values by the references in its parameters. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Why there is none, by reference. */
  readonly withheld?: Readonly<Record<string, string>>;
}

/** Ids of the secrets that the parameters of actions refer to; each once. */
export function secretIdsIn(actions: readonly AgentAction[]): readonly string[] {
  return [...new Set(actions.flatMap((action) => referencesIn(action).map(([, , id]) => id)))];
}

/**
 * An action with the values that its parameters refer to. Nothing of this is stored: it is read each time that it is given to a node. A value goes to the agent that it was given for and to
 * the resource for which it stands in the configuration, and to no other, by whichever way the reference came there. What the server's keys do not open is neither given nor withheld: a node that has it goes on with it.
 *
 * @param cib as it is now
 */
export function withSecrets(action: AgentAction, held: Readonly<Record<string, HeldSecret>>, cib: XmlElement): AgentAction & ActionSecrets {
  const secrets: Record<string, string> = {};
  const withheld: Record<string, string> = {};
  for (const [parameter, reference, id] of referencesIn(action)) {
    const secret = Object.hasOwn(held, id) ? held[id] : undefined;
    const problem = refusalOf(action, cib, { parameter, id, secret });
    if (problem !== undefined) withheld[reference] = problem;
    else if (secret?.value !== undefined) secrets[reference] = secret.value;
  }
  return {
    ...action,
    ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
    ...(Object.keys(withheld).length === 0 ? {} : { withheld }),
  };
}

function referencesIn({ parameters, fence }: AgentAction): readonly (readonly [parameter: string, reference: string, id: string])[] {
  return [...Object.entries(parameters), ...Object.entries(fence?.parameters ?? {})].flatMap(([parameter, value]) => {
    const id = heldIdIn(value);
    return id === undefined ? [] : [[parameter, value, id] as const];
  });
}

function refusalOf(
  action: AgentAction,
  cib: XmlElement,
  { parameter, id, secret }: { readonly parameter: string; readonly id: string; readonly secret: HeldSecret | undefined },
): string | undefined {
  if (secret === undefined) return 'the server does not have this secret: give its value anew';
  if (secret.erased === true) return 'the secret was erased: give its value anew';
  const agent = agentOf(action);
  if (parameter !== secret.parameter || !secret.agents.includes(agent)) {
    return `the secret was given for ${secret.parameter} of ${secret.agents.join(', ')}, and is not told to ${agent}: give its value anew`;
  }
  const { owner } = secret;
  const resource = resourceOf(action);
  if (!isMeantFor(cib, resource, { owner, id }))
    return `the secret was given for ${owner}, and is not told to ${resource}: give its value anew`;
  return undefined;
}

/** As the configuration names it: instances of a clone are one there. */
function resourceOf({ resource, fence }: AgentAction): string {
  return (fence?.deviceId ?? resource.id).replace(/:\d+$/, '');
}

function agentOf({ resource, fence }: AgentAction): string {
  return agentKey(fence === undefined ? resource : { class: 'stonith', type: fence.agent });
}
