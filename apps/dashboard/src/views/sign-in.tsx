import { unwrap } from '@systole/api-client';
import type { TargetedSubmitEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { sessionWith, type Session } from '../session.js';

interface SignInProps {
  readonly onSignIn: (session: Session) => void;
  /** Why the last session ended. */
  readonly message: string | undefined;
}

export function SignIn({ onSignIn, message }: SignInProps): VNode {
  const [token, setToken] = useState('');
  const [error, setError] = useState(message);
  const [busy, setBusy] = useState(false);

  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const session = sessionWith(token.trim());
    setBusy(true);
    session.client
      .GET('/v1/clusters', { params: { query: { limit: 1 } } })
      .then((answer) => {
        unwrap(answer);
        onSignIn(session);
      })
      .catch((cause: unknown) => {
        setError(cause instanceof Error ? cause.message : String(cause));
        setBusy(false);
      });
  };

  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <h1>
          <img src="icon.svg" alt="" width="32" height="32" /> Systole
        </h1>
        <label for="token">Access token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          autofocus
          value={token}
          aria-describedby="token-help"
          onInput={(event) => {
            setToken(event.currentTarget.value);
          }}
        />
        <p id="token-help" class="quiet">
          The admin token is printed at the server's first start; an admin makes others with <code>systole token create</code>. It is kept
          in this tab only.
        </p>
        {error !== undefined && (
          <p class="trouble" role="alert">
            {error}
          </p>
        )}
        <button type="submit" class="primary" disabled={busy || token.trim() === ''}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}
