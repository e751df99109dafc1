import type { Clock } from '../ports/clock.js';
import type { Report } from '../ports/report.js';
import { LingeringMap } from '../time/lingering-map.js';
import type { CallingNode } from './session.js';

/** The same of one node is said so often, ms. */
const SAID_EVERY_MS = 60_000;

/** Warnings that a node brings about as often as it likes: whoever asks again and again must not fill the server's log. */
export class RareWarnings {
  /** When this process last said what of which node, monotonic ms. */
  private readonly saidAt: LingeringMap<number>;

  constructor(private readonly parts: { readonly clock: Pick<Clock, 'monotonic'>; readonly report: Pick<Report, 'warn'> }) {
    this.saidAt = new LingeringMap(parts.clock);
  }

  /** Says it at most once a minute for each node and message; `details` besides the cluster and the node. */
  warn({ clusterId, node }: Pick<CallingNode, 'clusterId' | 'node'>, message: string, details: Readonly<Record<string, unknown>>): void {
    const { clock, report } = this.parts;
    const name = `${clusterId} ${node} ${message}`;
    const now = clock.monotonic();
    const last = this.saidAt.get(name);
    if (last !== undefined && now - last < SAID_EVERY_MS) return;
    this.saidAt.set(name, now);
    report.warn({ clusterId, node, ...details }, message);
  }
}
