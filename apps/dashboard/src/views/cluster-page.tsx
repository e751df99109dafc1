import { ProblemError, type components } from '@systole/api-client';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useCluster } from '../cluster/use-cluster.js';
import { headlineOf } from '../model/activity.js';
import type { OperatorCommand } from '../model/command.js';
import type { Session } from '../session.js';
import type { OnTrouble } from './on-trouble.js';
import { Age } from './age.js';
import { Badge } from './badge.js';
import { CommandDialog } from './command-dialog.js';
import { Failures } from './failures.js';
import { PlacementTable } from './placement-table.js';
import { Timeline } from './timeline.js';
import { TransitionPanel } from './transition-panel.js';

type Status = components['schemas']['StatusDto'];
type Transition = components['schemas']['TransitionDto'];

interface ClusterPageProps {
  readonly session: Session;
  readonly cluster: string;
  readonly onTrouble: OnTrouble;
}

export function ClusterPage({ session, cluster, onTrouble }: ClusterPageProps): VNode {
  const { status, transitions, timeline, readAt, trouble } = useCluster(session, cluster);
  const [command, setCommand] = useState<OperatorCommand>();
  const [outcome, setOutcome] = useState<string>();
  useEffect(() => {
    document.title = `${cluster} – Systole`;
  }, [cluster]);
  useEffect(() => {
    if (trouble !== undefined) onTrouble(trouble);
  }, [trouble, onTrouble]);

  return (
    <>
      {trouble !== undefined && (
        <p class="trouble" role="alert">
          {trouble instanceof ProblemError
            ? trouble.message
            : `The server cannot be reached (${trouble.message}). What you see may be old.`}
        </p>
      )}
      {status === undefined ? (
        trouble === undefined && <p class="quiet">Loading …</p>
      ) : (
        <>
          {readAt !== undefined && <Age readAt={readAt} />}
          <Summary status={status} transitions={transitions} />
          <Notes status={status} />
          <PlacementTable cluster={cluster} status={status} onCommand={setCommand} />
          <Failures status={status} onCommand={setCommand} />
          <div class="halves">
            <TransitionPanel session={session} cluster={cluster} transitions={transitions} />
            <Timeline entries={timeline} />
          </div>
        </>
      )}
      <p class="visually-hidden" role="status">
        {outcome}
      </p>
      {command !== undefined && (
        <CommandDialog
          session={session}
          cluster={cluster}
          command={command}
          onClose={(said) => {
            setCommand(undefined);
            setOutcome(said);
          }}
        />
      )}
    </>
  );
}

function Summary({ status, transitions }: { readonly status: Status; readonly transitions: readonly Transition[] }): VNode {
  const { name, version, quorum, nodes, transition } = status;
  const activity = headlineOf(status);
  const running = transitions.find(({ number }) => number === transition?.number);
  const online = nodes.filter(({ online }) => online).length;
  return (
    <section class="summary" aria-label="Summary">
      <h1>{name}</h1>
      <dl>
        <div>
          <dt>Quorum</dt>
          <dd>
            {quorum === undefined ? (
              <Badge mood="off">unknown</Badge>
            ) : (
              <>
                <Badge mood={quorum.quorate ? 'good' : 'bad'}>{quorum.quorate ? 'yes' : 'lost'}</Badge>{' '}
                <span class="quiet">
                  {quorum.votes} of {quorum.expectedVotes} votes
                </span>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Nodes</dt>
          <dd>
            {online} of {nodes.length} online
          </dd>
        </div>
        <div class="activity">
          <dt>State</dt>
          <dd>
            <span class={`dot ${activity.mood}`} aria-hidden="true" /> {activity.text}
            {transition !== undefined && running !== undefined && (
              <progress
                aria-label={`Transition ${transition.number}`}
                max={Math.max(running.counts.actions + running.counts.fencing, transition.ended, 1)}
                value={transition.ended}
              />
            )}
          </dd>
        </div>
        <div>
          <dt>Version</dt>
          <dd>{version}</dd>
        </div>
      </dl>
    </section>
  );
}

/** What an operator should know: fencing under way, reduced safety, what the scheduler objects to. */
function Notes({ status: { fencing, safety, messages } }: { readonly status: Status }): VNode | null {
  if (fencing.length + safety.length + messages.length === 0) return null;
  return (
    <ul class="notes" aria-label="Notes">
      {fencing.map(({ target, action, device, executor, attempt }) => (
        <li key={`fencing ${target} ${device}`} class="bad">
          Fencing {target} ({action}) with {device}, executed by {executor}, attempt {attempt}
        </li>
      ))}
      {safety.map(({ code, text }) => (
        <li key={code} class="warn">
          {text}
        </li>
      ))}
      {messages.map(({ level, text }) => (
        <li key={text} class={level === 'error' ? 'bad' : 'warn'}>
          {text}
        </li>
      ))}
    </ul>
  );
}
