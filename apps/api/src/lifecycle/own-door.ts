import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Clock, Report } from '@systole/control-plane';
import { GIVEN_UP_SHARE, JOIN_GIVEN_UP_MS } from '@systole/protocol';
import { DoorJudgement } from './door-judgement.js';
import { reachableHost } from './listening.js';

/** No shorter wait than that counts, ms: threads pause for as long on machines that have other things to do. */
const LEAST_LATE_MS = 500;
/** Any longer one does, whatever agents would wait, ms: before the operating system itself gives a knock up, after two minutes. */
const MOST_LATE_MS = 60_000;
/** That is told in the log so often, ms. */
const TOLD_EVERY_MS = 60_000;
/** It knocks no more often than that, ms; more often where a third of what counts is less, but no more often than the least. */
const EVERY_MS = 500;
const LEAST_EVERY_MS = 80;
/** A knock that nobody answered for so long, and twice as long as counts, is given up, and another one made; ms. */
const GIVEN_UP_AFTER_MS = 10_000;

export interface OwnDoorParts {
  readonly server: Server;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Length of the shortest leases for which agents come, ms. */
  readonly leaseMs: () => number;
  /** Agents are kept waiting: called again and again while that lasts. Must not throw. */
  readonly onLate: () => void;
  readonly report: Pick<Report, 'warn'>;
}

/**
 * Connects to its own server again and again, as an agent would, and sees how long it takes until it is let in. That a process is up, has its database and turns its event loop says nothing about that: with more
 * to do than it can, connections wait in the operating system's queue, or are dropped there, unseen by all that the process counts.
 */
export class OwnDoor {
  /** For those that renew leases, and for those that would join: what is in time for the former may not be for the latter. */
  private readonly renewals: DoorJudgement;
  private readonly joins: DoorJudgement;
  private toldAt = Number.NEGATIVE_INFINITY;
  private hasToldOfNone = false;
  private knock: Knock | undefined;
  private readonly since: number;
  private lookedAt: number;
  private looking: NodeJS.Timeout;
  private readonly onConnection = (socket: Socket): void => {
    this.knock?.letIn(socket);
  };

  /** @param parts.server listens: the first one who knocks comes before whoever waits for it */
  constructor(private readonly parts: OwnDoorParts) {
    this.renewals = new DoorJudgement(() => this.lateMs);
    this.joins = new DoorJudgement(() => Math.min(this.lateMs, JOIN_GIVEN_UP_MS));
    this.since = parts.clock.monotonic();
    this.lookedAt = this.since;
    parts.server.on('connection', this.onConnection);
    this.knockAnew(this.since);
    this.looking = this.later();
  }

  /** How long the last one waited who was let in, or the one waits who knocks now; ms. */
  get waitedMs(): number {
    return this.renewals.waitedMs;
  }

  /** For how long agents that would join have not been kept waiting for longer than a pause takes, ms; infinite: never so far. */
  get openForMs(): number {
    // What has been since the last look is not known: in turns that take long all that is asked comes before the next one.
    return this.lookedAt - this.joins.lastingAt;
  }

  close(): void {
    clearTimeout(this.looking);
    this.parts.server.off('connection', this.onConnection);
    this.knock?.end();
  }

  private get lateMs(): number {
    return Math.min(MOST_LATE_MS, Math.max(LEAST_LATE_MS, this.parts.leaseMs() * GIVEN_UP_SHARE));
  }

  private later(): NodeJS.Timeout {
    const everyMs = Math.min(EVERY_MS, Math.max(LEAST_EVERY_MS, this.lateMs / 3));
    const next = setTimeout(() => {
      this.look(everyMs);
      this.looking = this.later();
    }, everyMs);
    return next.unref();
  }

  private look(everyMs: number): void {
    const now = this.parts.clock.monotonic();
    // A thread that came to nothing else kept everybody waiting, this look as well.
    const turnMs = now - this.lookedAt - everyMs;
    for (const judgement of [this.renewals, this.joins]) judgement.look(now, this.lookedAt, turnMs, this.knock);
    this.lookedAt = now;
    this.tell(now);
    if (this.knock !== undefined) {
      if (now - this.knock.since < Math.max(GIVEN_UP_AFTER_MS, 2 * this.lateMs)) return;
      this.knock.end();
    }
    this.knockAnew(now);
  }

  private knockAnew(now: number): void {
    this.knock = undefined;
    const address = this.parts.server.address() as AddressInfo | null;
    if (address === null) return;
    const knock = new Knock(address, now);
    this.knock = knock;
    void knock.over.then((isIn) => {
      if (this.knock !== knock) return;
      this.knock = undefined;
      // What could not be made says nothing: a firewall may forbid this machine what it lets agents do.
      if (!isIn) return;
      const at = this.parts.clock.monotonic();
      for (const judgement of [this.renewals, this.joins]) judgement.letIn(knock.since, at);
      this.tell(at);
    });
  }

  private tell(now: number): void {
    const { onLate, report } = this.parts;
    const { isClosed, lastingAt, waitedMs, isTelling } = this.renewals;
    if (isClosed) onLate();
    if (!isTelling && !this.hasToldOfNone && now - this.since >= GIVEN_UP_AFTER_MS) {
      this.hasToldOfNone = true;
      report.warn(
        {},
        'this api can not see its own connections to itself: that agents are kept waiting shows only where its thread pauses',
      );
    }
    if (this.joins.lastingAt !== now || now - this.toldAt < TOLD_EVERY_MS) return;
    this.toldAt = now;
    const meanwhile = lastingAt === now ? 'no lease is judged, and none may join, until it does' : 'none may join until it does';
    report.warn({ waitedMs: Math.round(waitedMs) }, `this api does not come to what agents ask in time: ${meanwhile}`);
  }
}

/** One connection to the own server. It is established by the operating system long before the server takes it: so the server has to be seen to. */
class Knock {
  /** The operating system has made it, and the server is to take it. */
  isMade = false;
  /** Whether it was let in, once that is known; never where it was made and then cut off. */
  readonly over: Promise<boolean>;
  private readonly socket: Socket;
  private settle: (isIn: boolean) => void = () => undefined;

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
      },
      () => {
        this.finish(false);
      },
    );
    this.socket.on('error', () => {
      // Cut off by the server's own limits after it was let in, or never connected, which `connect` says.
    });
  }

  /** The server took a connection, which may be this one. The operating system gives it its own address before anybody can take it. */
  letIn({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): void {
    if (remotePort === undefined || this.socket.localPort !== remotePort || this.socket.localAddress !== remoteAddress) return;
    this.finish(true);
  }

  end(): void {
    this.socket.destroy();
  }

  private finish(isIn: boolean): void {
    this.socket.destroy();
    this.settle(isIn);
  }
}
