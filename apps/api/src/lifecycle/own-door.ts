import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Clock, Report } from '@systole/control-plane';
import { GIVEN_UP_SHARE } from '@systole/protocol';
import { reachableHost } from './listening.js';

/** No shorter wait than that counts, ms. */
const LEAST_LATE_MS = 1_500;
/** Once may be a pause; looks in a row that find the same for so long are too much to do, ms. */
const LASTING_MS = 1_500;
/** That is told in the log so often, ms. */
const TOLD_EVERY_MS = 60_000;
/** It knocks so often, ms. */
const EVERY_MS = 500;
/** A knock that nobody answered for so long is given up, and another one made, ms. */
const GIVEN_UP_AFTER_MS = 10_000;

export interface OwnDoorParts {
  readonly server: Server;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Length of the leases for which agents come, ms. */
  readonly leaseMs: number;
  /** Agents are kept waiting: called again and again while that lasts. Must not throw. */
  readonly onLate: () => void;
  readonly report: Pick<Report, 'warn'>;
}

/**
 * Connects to its own server again and again, as an agent would, and sees how long it takes until it is let in. That a process is up, has its database and turns its event loop says nothing about that: with more
 * to do than it can, connections wait in the operating system's queue, or are dropped there, unseen by all that the process counts.
 */
export class OwnDoor {
  /** How long the last one waited who was let in, or the one waits who knocks now; ms. */
  waitedMs = 0;
  /** Since when looks in a row found that, the last one, and the last one after that had lasted; monotonic ms. */
  private lateSince = Number.NEGATIVE_INFINITY;
  private lateAt = Number.NEGATIVE_INFINITY;
  private overloadedAt = Number.NEGATIVE_INFINITY;
  private toldAt = Number.NEGATIVE_INFINITY;
  private knock: Knock | undefined;
  private lookedAt: number;
  private readonly cancel: () => void;
  private readonly onConnection = (socket: Socket): void => {
    this.knock?.letIn(socket);
  };

  constructor(private readonly parts: OwnDoorParts) {
    this.lookedAt = parts.clock.monotonic();
    parts.server.on('connection', this.onConnection);
    const looking = setInterval(() => {
      this.look();
    }, EVERY_MS);
    looking.unref();
    this.cancel = () => {
      clearInterval(looking);
    };
  }

  /** For how long agents have not been kept waiting for longer than a pause takes, ms; infinite: never so far. */
  get openForMs(): number {
    return this.parts.clock.monotonic() - this.overloadedAt;
  }

  close(): void {
    this.cancel();
    this.parts.server.off('connection', this.onConnection);
    this.knock?.end();
  }

  private look(): void {
    const { clock, server } = this.parts;
    const now = clock.monotonic();
    // A thread that came to nothing else kept everybody waiting, this look as well.
    const turnMs = now - this.lookedAt - EVERY_MS;
    this.lookedAt = now;
    this.note(turnMs);
    if (this.knock !== undefined) {
      const { since, isMade } = this.knock;
      if (isMade) this.waited(now - since);
      if (now - since < GIVEN_UP_AFTER_MS) return;
      this.knock.end();
    }
    const address = server.address() as AddressInfo | null;
    if (address === null) return;
    const knock = new Knock(address, now);
    this.knock = knock;
    void knock.over.then((isIn) => {
      if (this.knock !== knock) return;
      this.knock = undefined;
      // What could not be made says nothing: a firewall may forbid this machine what it lets agents do.
      if (isIn) this.waited(clock.monotonic() - knock.since);
    });
  }

  private waited(ms: number): void {
    this.waitedMs = ms;
    this.note(ms);
  }

  private note(waitedMs: number): void {
    const { clock, leaseMs, onLate, report } = this.parts;
    if (waitedMs <= Math.max(LEAST_LATE_MS, leaseMs * GIVEN_UP_SHARE)) return;
    const now = clock.monotonic();
    if (now - this.lateAt > 2 * EVERY_MS) this.lateSince = now;
    this.lateAt = now;
    onLate();
    if (now - this.lateSince < LASTING_MS) return;
    this.overloadedAt = now;
    if (now - this.toldAt < TOLD_EVERY_MS) return;
    this.toldAt = now;
    report.warn(
      { waitedMs: Math.round(waitedMs) },
      'this api does not come to what agents ask in time: no lease is judged, and none may join, until it does',
    );
  }
}

/** One connection to the own server. It is established by the operating system long before the server takes it: so the server has to be seen to. */
class Knock {
  /** The operating system has made it, and the server is to take it. */
  isMade = false;
  /** Whether it was let in, once that is known. */
  readonly over: Promise<boolean>;
  private readonly socket: Socket;
  private settle: (isIn: boolean) => void = () => undefined;
  /** Ports of those that were let in meanwhile, of which this may be one as soon as it knows its own. */
  private readonly ports = new Set<number>();

  /** @param since monotonic ms */
  constructor(
    { address, port }: AddressInfo,
    readonly since: number,
  ) {
    this.over = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.socket = connect({ host: reachableHost(address), port });
    this.socket.unref();
    void once(this.socket, 'connect').then(
      () => {
        this.isMade = true;
        if (this.ports.has(this.socket.localPort ?? 0)) this.finish(true);
      },
      () => {
        this.finish(false);
      },
    );
    this.socket.on('error', () => {
      // Cut off by the server's own limits after it was let in, or never connected, which `connect` says.
    });
  }

  letIn({ remotePort }: Socket): void {
    if (remotePort === undefined) return;
    this.ports.add(remotePort);
    if (this.socket.localPort === remotePort) this.finish(true);
  }

  end(): void {
    this.socket.destroy();
  }

  private finish(isIn: boolean): void {
    this.socket.destroy();
    this.settle(isIn);
  }
}
