import type { ShareRefusal } from '@systole/access';
import type { Clock } from '@systole/control-plane';

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
  /** By address; under no address what is said of all. */
  readonly #said = new Map<string, Said>();

  constructor(private readonly parts: RefusedConnectionsParts) {}

  /** @param address where the connection came from: that of a proxy, where one stands between */
  note(refusal: ShareRefusal, address: string): void {
    const name = refusal === 'own' ? address : '';
    const now = this.parts.clock.monotonic();
    const before = this.#said.get(name);
    if (before !== undefined && now - before.at < SAID_EVERY_MS) {
      before.closed += 1;
      return;
    }
    for (const [other, { at }] of this.#said) if (now - at >= SAID_EVERY_MS) this.#said.delete(other);
    this.#said.set(name, { at: now, closed: 0 });
    const more = before === undefined || before.closed === 0 ? '' : ` (${String(before.closed)} more were closed since this was said last)`;
    if (refusal === 'own') this.parts.log.warn({ address }, `${OWN}${more}`);
    else this.parts.log.warn({}, `${TOTAL}${more}`);
  }
}

const OWN =
  'a connection was closed unread, as its address has as many open as one may (SYSTOLE_CONNECTIONS_EACH): agents that come from there may lose their leases; where that is a proxy, let it have more, or reuse those that it has';
const TOTAL = 'as many connections are open as are allowed (SYSTOLE_CONNECTIONS): agents are turned away, and no lease is judged meanwhile';
