import { unwrap, type components } from '@systole/api-client';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../session.js';
import { Reasons } from './reasons.js';

interface TransitionReasonsProps {
  readonly session: Session;
  readonly cluster: string;
  readonly number: number;
}

/** The reasons of a transition's actions, as it was decided; they are asked for when somebody opens them. */
export function TransitionReasons({ session, cluster, number }: TransitionReasonsProps): VNode {
  const [open, setOpen] = useState(false);
  const [explanation, setExplanation] = useState<components['schemas']['TransitionExplanationDto']>();
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    if (!open) return;
    const left = new AbortController();
    const params = { path: { cluster, number: String(number) } };
    session.client
      .GET('/v1/clusters/{cluster}/transitions/{number}/explanation', { params, signal: left.signal })
      .then((answer) => {
        setExplanation(unwrap(answer));
      })
      .catch((cause: unknown) => {
        if (!left.signal.aborted) setTrouble(cause instanceof Error ? cause.message : String(cause));
      });
    return () => {
      left.abort();
    };
  }, [session, cluster, number, open]);
  return (
    <details
      class="why"
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary class="pad">Why each action</summary>
      {trouble !== undefined && <p class="trouble">{trouble}</p>}
      {explanation === undefined ? (
        trouble === undefined && <p class="quiet pad">Computing …</p>
      ) : (
        <>
          {!explanation.same && (
            <p class="pad quiet">Computed again it comes to another graph: another version of the scheduler planned it.</p>
          )}
          <Reasons explanation={explanation} />
        </>
      )}
    </details>
  );
}
