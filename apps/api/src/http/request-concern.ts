import type { IncomingMessage } from 'node:http';
import { targetOf } from './request-context.js';

/** What a request is about, as every line of the log names it that the request causes. */
export interface RequestConcern {
  /** Who asks: `user:alice`, `agent:n1`. */
  readonly by?: string;
  readonly clusterId?: string;
  /** The cluster as the request names it, where that is not its id. */
  readonly cluster?: string;
  /** The node whose agent asks, or that the request names. */
  readonly node?: string;
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NAMED = /^\/v1\/clusters\/([^/?#]{1,765})(?:\/nodes\/([^/?#]{1,765}))?/;

/** Costs something only where somebody has something to say: made from what the request has anyway. @param idOf the id of a cluster that was found lately, by its name */
export function concernOf(request: IncomingMessage, idOf: (name: string) => string | undefined): RequestConcern {
  const { principal } = request;
  const by = principal === undefined ? {} : { by: principal.actor };
  if (principal?.kind === 'agent') return { ...by, clusterId: principal.clusterId, node: principal.node };
  const [, cluster, node] = NAMED.exec(targetOf(request)) ?? [];
  if (cluster === undefined) return by;
  const of = node === undefined ? by : { ...by, node: decoded(node) };
  const named = decoded(cluster);
  if (ID.test(named)) return { ...of, clusterId: named };
  const clusterId = idOf(named);
  return { ...of, ...(clusterId === undefined ? {} : { clusterId }), cluster: named };
}

/** As it stands where it can't be decoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
