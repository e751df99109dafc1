import { unwrap, type components } from '@systole/api-client';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { clock } from '../model/clock.js';
import type { Session } from '../session.js';
import { Badge } from './badge.js';
import { GraphDrawing } from './graph-drawing.js';
import { TransitionReasons } from './transition-reasons.js';

type Transition = components['schemas']['TransitionDto'];

interface TransitionPanelProps {
  readonly session: Session;
  readonly cluster: string;
  readonly transitions: readonly Transition[];
}

/** Larger graphs are drawn on demand: their layout takes seconds, and nobody reads them at a glance. */
const DRAWN_AT_ONCE = 200;

/** A transition, the newest that does something unless another is chosen: why, how it went, and its graph. */
export function TransitionPanel({ session, cluster, transitions }: TransitionPanelProps): VNode {
  const [chosen, setChosen] = useState<number>();
  const newest = transitions.find(({ counts }) => counts.actions + counts.fencing > 0) ?? transitions[0];
  const shown = transitions.find(({ number }) => number === chosen) ?? newest;
  return (
    <section class="card flush" aria-labelledby="transition-title">
      <div class="title">
        <h2 id="transition-title">Transition</h2>
        {transitions.length > 0 && (
          <select
            aria-label="Which transition"
            value={chosen === undefined ? '' : String(chosen)}
            onChange={({ currentTarget: { value } }) => {
              setChosen(value === '' ? undefined : Number(value));
            }}
          >
            <option value="">newest</option>
            {transitions.map(({ number, counts }) => (
              <option key={number} value={String(number)}>
                {number} ({counts.actions + counts.fencing} actions)
              </option>
            ))}
          </select>
        )}
      </div>
      {shown === undefined ? (
        <p class="quiet pad">The cluster has had no transition yet.</p>
      ) : (
        <>
          <TransitionFacts transition={shown} />
          <TransitionGraph key={shown.number} session={session} cluster={cluster} transition={shown} />
          <TransitionReasons key={`why ${shown.number}`} session={session} cluster={cluster} number={shown.number} />
        </>
      )}
    </section>
  );
}

function TransitionFacts({ transition }: { readonly transition: Transition }): VNode {
  const { number, status, trigger, plannedAt, endedAt, abortReason, outcome } = transition;
  return (
    <p class="pad">
      <strong>{number}</strong> <Badge mood={status === 'complete' ? 'good' : 'warn'}>{status}</Badge> because {trigger}
      {abortReason === undefined ? '' : `; aborted: ${abortReason}`}
      <span class="quiet">
        {' '}
        {clock(plannedAt)}
        {endedAt === undefined ? '' : ` to ${clock(endedAt)}`}
        {outcome === undefined ? '' : `; ${outcome.completed} done, ${outcome.failed} failed, ${outcome.skipped} never begun`}
      </span>
    </p>
  );
}

function TransitionGraph({ session, cluster, transition }: Omit<TransitionPanelProps, 'transitions'> & { transition: Transition }): VNode {
  const { number, counts } = transition;
  const size = counts.actions + counts.pseudo + counts.fencing;
  const [wanted, setWanted] = useState(size <= DRAWN_AT_ONCE);
  const [dot, setDot] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    if (!wanted || size === 0) return;
    const left = new AbortController();
    const params = { path: { cluster, number: String(number) } };
    session.client
      .GET('/v1/clusters/{cluster}/transitions/{number}/dot', { params, parseAs: 'text', signal: left.signal })
      .then((answer) => {
        setDot(unwrap(answer));
      })
      .catch((error: unknown) => {
        if (!left.signal.aborted) setTrouble(error instanceof Error ? error.message : String(error));
      });
    return () => {
      left.abort();
    };
  }, [session, cluster, number, wanted, size]);

  if (size === 0) return <p class="quiet pad">It does nothing.</p>;
  if (!wanted) {
    return (
      <p class="pad">
        <button
          type="button"
          onClick={() => {
            setWanted(true);
          }}
        >
          Draw the graph of {size} actions
        </button>
      </p>
    );
  }
  return (
    <>
      {trouble !== undefined && <p class="trouble">{trouble}</p>}
      {dot === undefined ? <p class="quiet pad">Drawing …</p> : <GraphDrawing dot={dot} label={`Graph of transition ${number}`} />}
    </>
  );
}
