import { networkOf } from '@systole/access';
import type { Clock } from '@systole/control-plane';
import type { ClosedConnection, ConnectionRefusal } from './connection-table.js';

/** The same is said so often, ms. */
const SAID_EVERY_MS = 60_000;

interface Said {
  readonly at: number;
  /** Connections that were closed since. */
  closed: number;
}

/** Who is told of connections that were closed unread: the log, for their other ends are told nothing. */
export interface RefusedConnectionsParts {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: { readonly warn: (details: { readonly address?: string }, text: string) => void };
}

/** Says in the log that connections are closed as there are too many, once a minute: of all, and of each address that has too many by itself. */
export class RefusedConnections {
  /** By network, or by what is said of all. */
  readonly #said = new Map<string, Said>();

  constructor(private readonly parts: RefusedConnectionsParts) {}

  /** A connection was closed; its address is that of a proxy, where one stands between. */
  note({ refusal, address }: ClosedConnection): void {
    const name = refusal === 'own' ? networkOf(address) : refusal;
    const now = this.parts.clock.monotonic();
    const before = this.#said.get(name);
    if (before !== undefined && now - before.at < SAID_EVERY_MS) {
      before.closed += 1;
      return;
    }
    for (const [other, { at }] of this.#said) if (now - at >= SAID_EVERY_MS) this.#said.delete(other);
    this.#said.set(name, { at: now, closed: 0 });
    const more = before === undefined || before.closed === 0 ? '' : ` (${String(before.closed)} more were closed since this was said last)`;
    this.parts.log.warn(refusal === 'own' ? { address } : {}, `${TEXTS[refusal]}${more}`);
  }
}

const TEXTS: Readonly<Record<ConnectionRefusal, string>> = {
  own: 'a connection was closed unread, as its address has as many open as one may (SYSTOLE_CONNECTIONS_EACH), or half as many on which no valid token came, counted for a whole /64 of IPv6: agents that come from there may lose their leases; where that is a proxy, let it have more, or reuse those that it has',
  total:
    'as many connections are open as are allowed (SYSTOLE_CONNECTIONS): agents are turned away before they can show a token, and no lease is judged meanwhile',
  stranger:
    'as many connections are open as are allowed (SYSTOLE_CONNECTIONS): for each new one the oldest is closed on which no valid token came. Agents are served; see who opens so many',
};
