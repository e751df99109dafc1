import { memberOf, type ClusterState } from './cluster-state.js';
import { valueOf, withValue, type PersistentMap } from './persistent-map.js';
import { textHash } from './text-hash.js';

/** How many results of a node are remembered at least. */
const REMEMBERED = 256;
/** Ids of one chunk. A result makes one chunk anew; the oldest chunk goes as a whole. */
const CHUNK = 32;

interface Chunk {
  readonly ids: readonly string[];
  /** Of each id (`textHash`): an id is looked for among numbers, as comparing hundreds of texts that begin alike costs more than all else that a result does. */
  readonly hashes: readonly number[];
}

/** Ids of the newest results that were recorded, by node name, oldest first: a result sent again is recognised by them. Beside the members: results come far more often than anything else changes of a node. */
export type RecentResults = PersistentMap<readonly Chunk[]>;

/** Whether a result of that id is among those of the node that are remembered. */
export function isRecentResult({ recentResults }: ClusterState, node: string, resultId: string): boolean {
  const chunks = valueOf(recentResults, node) ?? [];
  const hash = textHash(resultId);
  return chunks.some(({ ids, hashes }) => hashes.includes(hash) && ids.includes(resultId));
}

/** Nothing is remembered of a node of which nothing was heard otherwise, nor of a result without an id. */
export function withRecentResult(state: ClusterState, node: string, resultId: string | undefined): ClusterState {
  if (resultId === undefined || memberOf(state, node) === undefined) return state;
  const chunks = valueOf(state.recentResults, node) ?? [];
  const newest = chunks.at(-1);
  const hash = textHash(resultId);
  const next =
    newest !== undefined && newest.ids.length < CHUNK
      ? chunks.with(-1, { ids: [...newest.ids, resultId], hashes: [...newest.hashes, hash] })
      : [...chunks.slice(-REMEMBERED / CHUNK), { ids: [resultId], hashes: [hash] }];
  return { ...state, recentResults: withValue(state.recentResults, node, next) };
}
