import type { components } from '@systole/api-client';
import { useEffect, useState } from 'preact/hooks';
import { withEvents, type TimelineEntry } from '../model/timeline.js';
import type { Session } from '../session.js';
import { watchCluster } from './watch-cluster.js';

/** Everything that the page knows of a cluster. */
export interface ClusterPicture {
  readonly status?: components['schemas']['StatusDto'];
  readonly transitions: readonly components['schemas']['TransitionDto'][];
  readonly timeline: readonly TimelineEntry[];
  /** When the status was read, epoch ms by this browser's clock; only differences count. */
  readonly readAt?: number;
  readonly trouble?: Error;
}

const NOTHING: ClusterPicture = { transitions: [], timeline: [] };

/** Keeps a cluster's picture up to date for as long as the component is shown. */
export function useCluster(session: Session, cluster: string): ClusterPicture {
  const [picture, setPicture] = useState(NOTHING);
  useEffect(() => {
    const left = new AbortController();
    setPicture(NOTHING);
    watchCluster(
      session,
      cluster,
      {
        onPicture: (status, transitions) => {
          setPicture((before) => ({ ...before, status, transitions, readAt: Date.now() }));
        },
        onNewest: (events) => {
          setPicture((before) => ({ ...before, timeline: withEvents([], events) }));
        },
        onEvents: (events) => {
          setPicture((before) => ({ ...before, timeline: withEvents(before.timeline, events) }));
        },
        onTrouble: (trouble) => {
          setPicture(({ trouble: _, ...before }) => (trouble === undefined ? before : { ...before, trouble }));
        },
      },
      left.signal,
    );
    return () => {
      left.abort();
    };
  }, [session, cluster]);
  return picture;
}
