import type { AgentAction } from '@systole/protocol';

const OCF_SUCCESS = 0;
const OCF_NOT_RUNNING = 7;

/** What runs on a simulated node. Its programs take no time and do what they are told. */
export class SimulatedNode {
  /** History ids of what may be running, by instance name. */
  private readonly active = new Map<string, string>();
  /** Instances whose monitor found them gone. */
  private readonly lost = new Set<string>();
  /** Recurring monitors by instance name, as they were ordered last. */
  private readonly monitors = new Map<string, AgentAction>();

  /** @param onFence what happens when a fence device here is told to fence a node */
  constructor(private readonly onFence: (target: string) => void) {}

  /** History ids of what may be running, without fence devices: those run nowhere. */
  activeIds(): readonly string[] {
    return [...this.active.values()];
  }

  /** Instances that run here with a recurring monitor. */
  watched(): readonly string[] {
    return [...this.monitors.keys()].filter((resource) => this.isWatched(resource));
  }

  isWatched(resource: string): boolean {
    return this.monitors.has(resource) && !this.lost.has(resource);
  }

  /** The recurring monitor of a resource that runs here. */
  monitorOf(resource: string): AgentAction | undefined {
    return this.monitors.get(resource);
  }

  /** Does what an action says. @returns the return code */
  carryOut(action: AgentAction): number {
    const { kind, operation, resource, intervalMs, fence } = action;
    if (fence !== undefined) {
      this.onFence(fence.target);
      return OCF_SUCCESS;
    }
    if (kind === 'cancel') {
      this.monitors.delete(resource.id);
      return OCF_SUCCESS;
    }
    switch (operation) {
      case 'start':
      case 'migrate_from':
        this.lost.delete(resource.id);
        if (resource.class !== 'stonith') this.active.set(resource.id, resource.historyId);
        return OCF_SUCCESS;
      case 'stop':
        this.active.delete(resource.id);
        this.lost.delete(resource.id);
        this.monitors.delete(resource.id);
        return OCF_SUCCESS;
      case 'monitor':
        if (intervalMs > 0) this.monitors.set(resource.id, action);
        return this.isHealthy(action) ? OCF_SUCCESS : OCF_NOT_RUNNING;
      default:
        return OCF_SUCCESS;
    }
  }

  /** A resource is gone, and its recurring monitor finds that. @returns the monitor and its return code; undefined when none watches it here */
  lose(resource: string): { readonly monitor: AgentAction; readonly rc: number } | undefined {
    const monitor = this.monitors.get(resource);
    if (monitor === undefined || this.lost.has(resource)) return undefined;
    this.lost.add(resource);
    return { monitor, rc: OCF_NOT_RUNNING };
  }

  /** A fence device that was started can be asked; it is not looked for where it was not. */
  private isHealthy({ resource, intervalMs }: AgentAction): boolean {
    if (resource.class === 'stonith') return intervalMs > 0;
    return this.active.has(resource.id) && !this.lost.has(resource.id);
  }
}
