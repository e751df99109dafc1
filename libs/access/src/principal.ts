import type { OperatorRole } from './tokens/access-tokens.js';

/** Who asks: a person or program with a role, or the agent of one node. */
export type Principal = OperatorPrincipal | AgentPrincipal;

export interface OperatorPrincipal {
  readonly kind: 'operator';
  readonly role: OperatorRole;
  readonly tokenId: string;
  /** As events name it: `user:<token name>`, or `oidc:<name>` of a user whom an OpenID provider vouches for. */
  readonly actor: string;
  /** Ids of the clusters that there are for this one; undefined: all, and the server itself. */
  readonly clusters?: readonly string[];
  /** Names of further ones. */
  readonly clusterNames?: readonly string[];
  /** Whether it may be shown the secrets in configurations. */
  readonly seesSecrets: boolean;
}

export interface AgentPrincipal {
  readonly kind: 'agent';
  readonly tokenId: string;
  readonly clusterId: string;
  readonly node: string;
  /** `agent:<node>`. */
  readonly actor: string;
  /** Its token was made for a container of a bundle: it is for the node in that, whatever the configuration makes of the name. */
  readonly inContainer?: true;
}

const RANK: Readonly<Record<OperatorRole, number>> = { viewer: 0, operator: 1, admin: 2 };

/** Whether a role may do what another one may. */
export function includesRole(role: OperatorRole, needed: OperatorRole): boolean {
  return RANK[role] >= RANK[needed];
}

/** Whether a cluster is within what somebody's rights are about. */
export function reaches(
  { clusters, clusterNames = [] }: Pick<OperatorPrincipal, 'clusters' | 'clusterNames'>,
  { id, name }: { readonly id: string; readonly name?: string },
): boolean {
  return clusters === undefined || clusters.includes(id) || (name !== undefined && clusterNames.includes(name));
}
