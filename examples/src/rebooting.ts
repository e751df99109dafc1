import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoNode } from './demo-node.js';
import type { DemoEvent } from './demo-cluster.js';

/** A real machine takes longer. */
const BOOT_MS = 1_500;
/** A node that died and is not fenced (fencing may be switched off) is switched on again after that. */
const GIVE_UP_MS = 60_000;

/**
 * Plays the machine that boots after it was fenced: a node whose agent has died is started again once the cluster has fenced it. To start
 * it before would be what fencing is there to prevent.
 */
export class Rebooting {
  private readonly fenced = new Map<string, () => void>();
  private readonly stopping = new AbortController();

  constructor(
    nodes: readonly DemoNode[],
    private readonly tell: (line: string) => void,
  ) {
    for (const node of nodes) void this.watch(node);
  }

  /** To be told every event of the cluster. */
  observe({ event }: DemoEvent): void {
    if (event.type === 'FencingCompleted' && event.data.outcome === 'succeeded') this.fenced.get(event.data.target)?.();
  }

  stop(): void {
    this.stopping.abort();
    for (const release of this.fenced.values()) release();
  }

  /** A call, because it changes while one waits. */
  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async watch(node: DemoNode): Promise<void> {
    for (;;) {
      await node.whenDown();
      if (this.isStopping()) return;
      this.tell(`the agent of ${node.name} is dead`);
      const giveUp = new AbortController();
      await Promise.race([
        new Promise<void>((resolve) => this.fenced.set(node.name, resolve)),
        sleep(GIVE_UP_MS, undefined, { signal: giveUp.signal }).catch(() => undefined),
      ]);
      giveUp.abort();
      this.fenced.delete(node.name);
      if (this.isStopping()) return;
      await sleep(BOOT_MS);
      this.tell(`${node.name} boots`);
      await node.start();
    }
  }
}
