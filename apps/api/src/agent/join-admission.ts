import { performance } from 'node:perf_hooks';
import { ServerOverloaded, type Admission } from '@systole/control-plane';

/** The means that are looked at are taken so often, ms, and each look counts by this part. */
const EVERY_MS = 1_000;
const WEIGHT = 1 / 10;
/** A thread that was at work for more than this part of the time has no room for more agents. */
const FULL_SHARE = 0.9;
/** Fewer polls a second than these don't fill a thread: what fills it is something else, which will pass. */
const FILLING_POLLS_PER_SECOND = 250;
/** For so long after somebody was kept waiting at the door nobody joins, ms. */
const CALM_MS = 3_000;
/** Who is refused comes back after this time, and up to as much again, so that not all do at once; ms. */
const RETRY_MS = 4_000;

/**
 * Lets agents in as long as the server can carry those that it has. A poll costs a fixed time, so that there is a number of agents beyond which answers come later and later, until all of them give up, ask again, and nothing is served any more.
 * Before that whoever is new is refused, and told so; and while a server can't keep up it first serves those that hold leases.
 */
export class JoinAdmission implements Admission {
  private share = 0;
  private pollsPerSecond = 0;
  private polls = 0;
  private readonly looking: NodeJS.Timeout;

  /**
   * @param openForMs for how long nobody has been kept waiting at the server's door, ms
   * @param workingShare for which part of the time since it was last called this thread was at work
   */
  constructor(
    private readonly openForMs: () => number,
    private readonly workingShare: () => number = eventLoopShare(),
  ) {
    this.looking = setInterval(() => {
      this.look();
    }, EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.looking);
  }

  admit(): void {
    if (this.openForMs() < CALM_MS) throw new ServerOverloaded('agents are kept waiting at this server at the moment', this.retryMs());
  }

  admitNew(): void {
    this.admit();
    if (this.share <= FULL_SHARE || this.pollsPerSecond < FILLING_POLLS_PER_SECOND) return;
    const polls = Math.round(this.pollsPerSecond);
    throw new ServerOverloaded(
      `this server carries as many agents as it can (${polls} polls a second): give all agents the addresses of all apis (SYSTOLE_SERVERS), or set longer leases (SYSTOLE_LEASE_MS), which members have once they join anew`,
      this.retryMs(),
    );
  }

  private retryMs(): number {
    return RETRY_MS * (1 + Math.random());
  }

  polled(): void {
    this.polls += 1;
  }

  private look(): void {
    this.share += WEIGHT * (this.workingShare() - this.share);
    this.pollsPerSecond += WEIGHT * ((this.polls * 1_000) / EVERY_MS - this.pollsPerSecond);
    this.polls = 0;
  }
}

function eventLoopShare(): () => number {
  let seen = performance.eventLoopUtilization();
  return () => {
    const before = seen;
    seen = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(seen, before).utilization;
  };
}
