import { unwrap, type components } from '@systole/api-client';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useCluster } from '../cluster/use-cluster.js';
import type { Session } from '../session.js';
import type { OnTrouble } from './on-trouble.js';
import { PlacementCard } from './placement-card.js';
import { Reasons } from './reasons.js';

type Explanation = components['schemas']['ClusterExplanationDto'];

interface ResourcePageProps {
  readonly session: Session;
  readonly cluster: string;
  readonly resource: string;
  readonly onTrouble: OnTrouble;
}

/** Why a resource is where it is, and what is to happen to it; computed again whenever the cluster changes. */
export function ResourcePage({ session, cluster, resource, onTrouble }: ResourcePageProps): VNode {
  const { status, trouble: lost } = useCluster(session, cluster);
  const version = status?.version;
  const [explanation, setExplanation] = useState<Explanation>();
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    document.title = `${resource} – ${cluster} – Systole`;
  }, [cluster, resource]);
  useEffect(() => {
    if (lost !== undefined) onTrouble(lost);
  }, [lost, onTrouble]);
  useEffect(() => {
    if (version === undefined) return;
    const left = new AbortController();
    const params = { path: { cluster }, query: { resource: [resource] } };
    session.client
      .GET('/v1/clusters/{cluster}/explanation', { params, signal: left.signal })
      .then((answer) => {
        setExplanation(unwrap(answer));
        setTrouble(undefined);
      })
      .catch((cause: unknown) => {
        if (!left.signal.aborted) setTrouble(cause instanceof Error ? cause.message : String(cause));
      });
    return () => {
      left.abort();
    };
  }, [session, cluster, resource, version]);

  const shown = trouble ?? lost?.message;
  return (
    <>
      <h1>Why here? {resource}</h1>
      {shown !== undefined && (
        <p class="trouble" role="alert">
          {shown}
        </p>
      )}
      {explanation === undefined ? (
        shown === undefined && <p class="quiet">Loading …</p>
      ) : (
        <>
          <p class="quiet">As the cluster is at version {explanation.version}.</p>
          {explanation.placements.map((placement) => (
            <PlacementCard key={placement.resource} placement={placement} />
          ))}
          <section class="card flush" aria-labelledby="actions-title">
            <h2 id="actions-title">Actions</h2>
            <Reasons explanation={explanation} />
          </section>
        </>
      )}
    </>
  );
}
