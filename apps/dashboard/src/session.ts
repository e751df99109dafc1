import { createSystoleClient, type SystoleClient } from '@systole/api-client';

const KEY = 'systole-token';

/** Who looks, and how to ask the server. */
export interface Session {
  readonly token: string;
  readonly baseUrl: string;
  readonly client: SystoleClient;
}

export function sessionWith(token: string): Session {
  const baseUrl = location.origin;
  return { token, baseUrl, client: createSystoleClient({ baseUrl, token }) };
}

/** The token stays in this tab, and is gone when the tab is closed. */
export function restoreSession(): Session | undefined {
  const token = sessionStorage.getItem(KEY);
  return token === null ? undefined : sessionWith(token);
}

export function keepSession({ token }: Session): void {
  sessionStorage.setItem(KEY, token);
}

export function forgetSession(): void {
  sessionStorage.removeItem(KEY);
}
