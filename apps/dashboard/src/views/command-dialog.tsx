import type { components } from '@systole/api-client';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { explanationOf, submit, titleOf, type OperatorCommand } from '../model/command.js';
import type { Session } from '../session.js';

type WriteResult = components['schemas']['WriteResultDto'];

interface CommandDialogProps {
  readonly session: Session;
  readonly cluster: string;
  readonly command: OperatorCommand;
  /** Gets what was done; undefined when nothing was. */
  readonly onClose: (said: string | undefined) => void;
}

/** Asks before a command is given, and shows what the cluster would do. */
export function CommandDialog({ session, cluster, command, onClose }: CommandDialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [preview, setPreview] = useState<WriteResult>();
  const [trouble, setTrouble] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    submit(session.client, cluster, command, true).then(setPreview, (error: unknown) => {
      setTrouble(messageOf(error));
    });
  }, [session, cluster, command]);

  const confirm = (): void => {
    setBusy(true);
    submit(session.client, cluster, command, false).then(
      () => {
        onClose(`${titleOf(command)}: done.`);
      },
      (error: unknown) => {
        setTrouble(messageOf(error));
        setBusy(false);
      },
    );
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="command-title"
      onClose={() => {
        onClose(undefined);
      }}
    >
      <h2 id="command-title">{titleOf(command)}</h2>
      <p>{explanationOf(command)}</p>
      {trouble !== undefined && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      <div aria-live="polite">
        {preview === undefined ? (
          trouble === undefined && <p class="quiet">Computing what would follow …</p>
        ) : (
          <Preview preview={preview} />
        )}
      </div>
      <div class="buttons">
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" class="primary" disabled={busy || preview === undefined} onClick={confirm}>
          {titleOf(command)}
        </button>
      </div>
    </dialog>
  );
}

function Preview({ preview: { events, schedule } }: { readonly preview: WriteResult }): VNode {
  if (events.length === 0) return <p>Everything is as wished already.</p>;
  const actions = schedule?.actions ?? [];
  if (actions.length === 0) return <p>No resource would be started, stopped or moved.</p>;
  return (
    <>
      <p>What would follow:</p>
      <ul class="actions">
        {actions.map(({ operation, resource, node, reason }) => (
          <li key={`${operation} ${resource} ${node}`}>
            {operation} <strong>{resource}</strong> on {node}
            {reason !== undefined && <span class="quiet"> {reason}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
