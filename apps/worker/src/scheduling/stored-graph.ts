import { constants, gunzipSync, gzipSync } from 'node:zlib';
import type { TransitionGraph } from '@systole/scheduler';

/** A graph as it is stored: its JSON, compressed, which makes a fifteenth of it. */
export function storedForm(graph: TransitionGraph): Uint8Array<ArrayBuffer> {
  // A copy of its own: small buffers lie in a pool, which can't be handed over.
  return new Uint8Array(gzipSync(JSON.stringify(graph), { level: constants.Z_BEST_SPEED }));
}

/** @throws when it was not stored so */
export function graphFrom(stored: Uint8Array): TransitionGraph {
  return JSON.parse(gunzipSync(stored).toString('utf8')) as TransitionGraph;
}
