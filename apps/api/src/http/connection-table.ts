import type { Socket } from 'node:net';
import { networkOf, type ShareLimits } from '@systole/access';

/** A valid token comes within that time where a client is in its senses, over TLS and far away too, ms. */
const TOKEN_COMES_WITHIN_MS = 2_000;

/**
 * Why a connection was closed: `own`: its address has too many, or its network too many without a token; `total`: all are taken, and it had no time to show a
 * token; `stranger`: all are taken, and it has had its time.
 */
export type ConnectionRefusal = 'own' | 'total' | 'stranger';

/** A connection that was closed as there were too many, and where it came from. */
export interface ClosedConnection {
  readonly refusal: ConnectionRefusal;
  readonly address: string;
}

export interface ConnectionTableParts {
  /** In all, and from one address. Half of the latter may come without a token from one network ({@link networkOf}). */
  readonly limits: ShareLimits;
  /** Monotonic, ms. */
  readonly now: () => number;
  readonly onClosed: (closed: ClosedConnection) => void;
}

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>;

/** A connection as it was accepted. */
export interface Accepted extends Ends {
  readonly destroy: () => unknown;
  readonly once: (event: 'close', listener: () => void) => unknown;
}

interface Open {
  readonly socket: Pick<Accepted, 'destroy'>;
  readonly address: string;
  readonly network: string;
  readonly ends: string;
  readonly since: number;
}

/**
 * Which connections there are, and on which of them a valid token came. Anybody can open connections and say nothing, from any number of addresses: so where there
 * are too many, the oldest goes that has shown no token. One that has is never closed for others.
 */
export class ConnectionTable {
  readonly #all = new Set<Open>();
  /** By both ends, to be found by: what speaks TLS has a socket upon the one that was accepted. */
  readonly #byEnds = new Map<string, Open>();
  readonly #byAddress = new Map<string, number>();
  /** Without a token so far, the oldest first: of all, and of each network. */
  readonly #strangers = new Set<Open>();
  readonly #strangersOf = new Map<string, Set<Open>>();
  /** Sockets on which a token came. */
  readonly #known = new WeakSet<Ends>();
  readonly #strangersEach: number;

  constructor(private readonly parts: ConnectionTableParts) {
    this.#strangersEach = Math.ceil(parts.limits.each / 2);
  }

  /** Takes a new connection in, or closes it. What is closed is told once it is out of the table. */
  accept(socket: Accepted): void {
    const { limits, now } = this.parts;
    const { remoteAddress: address } = socket;
    // It was reset before anybody looked at it.
    if (address === undefined) {
      socket.destroy();
      return;
    }
    const open: Open = { socket, address, network: networkOf(address), ends: endsOf(socket), since: now() };
    if ((this.#byAddress.get(address) ?? 0) >= limits.each && !this.#close(this.#oldestFrom(open), 'own')) {
      this.#refuse(open, 'own');
      return;
    }
    const ofNetwork = this.#strangersOf.get(open.network);
    if (ofNetwork !== undefined && ofNetwork.size >= this.#strangersEach) this.#close(first(ofNetwork), 'own');
    if (this.#all.size >= limits.total && !this.#closeForAll()) {
      this.#refuse(open, 'total');
      return;
    }
    this.#add(open);
    socket.once('close', () => {
      this.#remove(open);
    });
  }

  /** Whether a valid token came on a connection. */
  isKnown(socket: Ends): boolean {
    return this.#known.has(socket);
  }

  /** A valid token came on a connection: it is nobody's to close for others. */
  noteToken(socket: Ends): void {
    if (this.#known.has(socket)) return;
    this.#known.add(socket);
    const open = this.#byEnds.get(endsOf(socket));
    if (open !== undefined) this.#noStranger(open);
  }

  #closeForAll(): boolean {
    const oldest = first(this.#strangers);
    // Whoever was given no time may have been an agent.
    const isYoung = oldest !== undefined && this.parts.now() - oldest.since < TOKEN_COMES_WITHIN_MS;
    return this.#close(oldest, isYoung ? 'total' : 'stranger');
  }

  #oldestFrom({ address, network }: Open): Open | undefined {
    for (const open of this.#strangersOf.get(network) ?? []) if (open.address === address) return open;
    return undefined;
  }

  #close(open: Open | undefined, refusal: ConnectionRefusal): boolean {
    if (open === undefined) return false;
    this.#remove(open);
    this.#refuse(open, refusal);
    return true;
  }

  #refuse({ socket, address }: Open, refusal: ConnectionRefusal): void {
    socket.destroy();
    this.parts.onClosed({ refusal, address });
  }

  #add(open: Open): void {
    this.#all.add(open);
    this.#byEnds.set(open.ends, open);
    this.#byAddress.set(open.address, (this.#byAddress.get(open.address) ?? 0) + 1);
    this.#strangers.add(open);
    const ofNetwork = this.#strangersOf.get(open.network);
    if (ofNetwork === undefined) this.#strangersOf.set(open.network, new Set([open]));
    else ofNetwork.add(open);
  }

  #remove(open: Open): void {
    if (!this.#all.delete(open)) return;
    // They may be another's by now.
    if (this.#byEnds.get(open.ends) === open) this.#byEnds.delete(open.ends);
    const left = (this.#byAddress.get(open.address) ?? 0) - 1;
    if (left > 0) this.#byAddress.set(open.address, left);
    else this.#byAddress.delete(open.address);
    this.#noStranger(open);
  }

  #noStranger(open: Open): void {
    this.#strangers.delete(open);
    const ofNetwork = this.#strangersOf.get(open.network);
    ofNetwork?.delete(open);
    if (ofNetwork?.size === 0) this.#strangersOf.delete(open.network);
  }
}

function endsOf({ remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 }: Ends): string {
  return `${remoteAddress} ${String(remotePort)} ${localAddress} ${String(localPort)}`;
}

function first(strangers: Iterable<Open>): Open | undefined {
  const [oldest] = strangers;
  return oldest;
}
