import { ProblemError } from '@systole/api-client';
import type { VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { linkTo, routeOf, type Route } from '../model/route.js';
import { forgetSession, keepSession, restoreSession, type Session } from '../session.js';
import { ClusterList } from './cluster-list.js';
import { ClusterPage } from './cluster-page.js';
import type { OnTrouble } from './on-trouble.js';
import { ResourcePage } from './resource-page.js';
import { SignIn } from './sign-in.js';

export function App(): VNode {
  const [session, setSession] = useState<Session | undefined>(restoreSession);
  const [farewell, setFarewell] = useState<string>();
  const route = useRoute();

  const signIn = (fresh: Session): void => {
    keepSession(fresh);
    setFarewell(undefined);
    setSession(fresh);
  };
  const signOut = useCallback((why?: string) => {
    forgetSession();
    setFarewell(why);
    setSession(undefined);
  }, []);
  const onTrouble: OnTrouble = useCallback(
    (error) => {
      if (error instanceof ProblemError && error.status === 401) signOut(error.message);
    },
    [signOut],
  );

  if (session === undefined) return <SignIn onSignIn={signIn} message={farewell} />;
  return (
    <>
      <header class="bar">
        <a class="brand" href={linkTo({ page: 'clusters' })}>
          <img src="icon.svg" alt="" width="24" height="24" /> Systole
        </a>
        {route.page !== 'clusters' && <Path route={route} />}
        <span class="spring" />
        <a href="docs">API</a>
        <button
          type="button"
          onClick={() => {
            signOut();
          }}
        >
          Sign out
        </button>
      </header>
      <main>
        {route.page === 'clusters' && <ClusterList session={session} onTrouble={onTrouble} />}
        {route.page === 'cluster' && <ClusterPage session={session} cluster={route.cluster} onTrouble={onTrouble} />}
        {route.page === 'resource' && (
          <ResourcePage key={route.resource} session={session} cluster={route.cluster} resource={route.resource} onTrouble={onTrouble} />
        )}
      </main>
    </>
  );
}

function Path({ route }: { readonly route: Exclude<Route, { readonly page: 'clusters' }> }): VNode {
  const { cluster } = route;
  return (
    <nav aria-label="Where you are">
      <a href={linkTo({ page: 'clusters' })}>Clusters</a> <span aria-hidden="true">/</span>{' '}
      {route.page === 'cluster' ? (
        <span aria-current="page">{cluster}</span>
      ) : (
        <>
          <a href={linkTo({ page: 'cluster', cluster })}>{cluster}</a> <span aria-hidden="true">/</span>{' '}
          <span aria-current="page">{route.resource}</span>
        </>
      )}
    </nav>
  );
}

function useRoute(): ReturnType<typeof routeOf> {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => {
      setHash(location.hash);
    };
    addEventListener('hashchange', changed);
    return () => {
      removeEventListener('hashchange', changed);
    };
  }, []);
  return routeOf(hash);
}
