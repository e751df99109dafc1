import type { ClusterEvent } from '@systole/cluster';

/** Without what came before somebody has noted that it was seen. @param events of fencing, and of its having been seen; the newest first */
export function notSeenFencing<E extends ClusterEvent>(events: readonly E[]): readonly E[] {
  const seen = new Set<string>();
  const shown: E[] = [];
  for (const event of events) {
    if (event.type === 'FencingHistoryCleared') {
      if (event.data.node === undefined) break;
      seen.add(event.data.node);
    } else if (event.type !== 'FencingCompleted' || !seen.has(event.data.target)) shown.push(event);
  }
  return shown;
}
