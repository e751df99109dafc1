import { unwrap, unwrapJson, type components } from '@systole/api-client';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { headlineOf, healthOf } from '../model/activity.js';
import { linkTo } from '../model/route.js';
import type { Session } from '../session.js';
import type { OnTrouble } from './on-trouble.js';
import { Badge } from './badge.js';

type Cluster = components['schemas']['ClusterDto'];
type Status = components['schemas']['StatusDto'];

interface ClusterListProps {
  readonly session: Session;
  readonly onTrouble: OnTrouble;
}

const REFRESH_MS = 5_000;
const SHOWN = 200;

export function ClusterList({ session, onTrouble }: ClusterListProps): VNode {
  const [clusters, setClusters] = useState<readonly Cluster[]>();
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    document.title = 'Systole';
    const load = (): void => {
      session.client
        .GET('/v1/clusters', { params: { query: { limit: SHOWN } } })
        .then((answer) => {
          setClusters(unwrap(answer).items);
          setTrouble(undefined);
        })
        .catch((cause: unknown) => {
          const error = cause instanceof Error ? cause : new Error(String(cause));
          setTrouble(error.message);
          onTrouble(error);
        });
    };
    load();
    const timer = setInterval(load, REFRESH_MS);
    return () => {
      clearInterval(timer);
    };
  }, [session, onTrouble]);

  return (
    <>
      <h1>Clusters</h1>
      {trouble !== undefined && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      {clusters?.length === 0 && (
        <p class="card">
          There is no cluster yet. Make one with <code>systole cluster create</code>.
        </p>
      )}
      <ul class="clusters">
        {clusters?.map((cluster) => (
          <ClusterCard key={cluster.id} session={session} cluster={cluster} />
        ))}
      </ul>
    </>
  );
}

/** A cluster with its health, which is asked for again when its version changes. */
function ClusterCard({ session, cluster }: { readonly session: Session; readonly cluster: Cluster }): VNode {
  const [status, setStatus] = useState<Status>();
  const { id, name, version } = cluster;
  useEffect(() => {
    const left = new AbortController();
    session.client
      .GET('/v1/clusters/{cluster}/status', { params: { path: { cluster: id } }, signal: left.signal })
      .then((answer) => {
        setStatus(unwrapJson(answer));
      })
      // The list itself tells of trouble.
      .catch(() => undefined);
    return () => {
      left.abort();
    };
  }, [session, id, version]);
  const health = status === undefined ? undefined : healthOf(status);
  return (
    <li class="card">
      <h2>
        <a href={linkTo({ page: 'cluster', cluster: name })}>{name}</a>
      </h2>
      {status !== undefined && health !== undefined && (
        <p>
          <Badge mood={health.mood}>{health.text}</Badge> <span class="quiet">{headlineOf(status).text}</span>
        </p>
      )}
      <p class="quiet">
        {status === undefined ? '' : `${status.nodes.length} nodes, `}version {version}
      </p>
    </li>
  );
}
