import { Injectable } from '@nestjs/common';
import { isStopped } from '@systole/cluster';
import { ClusterCommands, Wakeable, type ExecuteResult } from '@systole/control-plane';
import { SYSTEM_CLOCK } from '@systole/control-plane-postgres';
import { ClusterStates } from '@systole/read-models';
import { ClusterSignals } from '../lifecycle/cluster-signals.js';
import { Shutdown } from '../lifecycle/shutdown.js';

/** How often it is looked without any signal, ms. */
const LOOK_MS = 1_000;

/** The second half of a restart: waits until everything is stopped, and lets it start again. */
@Injectable()
export class ResourceRestart {
  constructor(
    private readonly states: ClusterStates,
    private readonly commands: ClusterCommands,
    private readonly signals: ClusterSignals,
    private readonly shutdown: Shutdown,
  ) {}

  /**
   * Whoever asked may go meanwhile: it is ended all the same, and when this process dies by the time that its first half has written.
   *
   * @returns what the end of it changed, and whether everything was stopped before
   */
  async finish(
    clusterId: string,
    resource: string,
    timeoutMs: number,
    by: { readonly actor: string; readonly correlationId: string },
  ): Promise<{ readonly stopped: boolean; readonly ended: ExecuteResult }> {
    const stopped = await this.#stopped(clusterId, resource, timeoutMs);
    return { stopped, ended: await this.commands.execute(clusterId, { type: 'end-restart', resource }, by) };
  }

  async #stopped(clusterId: string, resource: string, timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    const wakeable = new Wakeable(SYSTEM_CLOCK);
    const forget = this.signals.listen(clusterId, wakeable.wake);
    try {
      for (;;) {
        if (isStopped(await this.states.load(clusterId), resource)) return true;
        const left = deadline - performance.now();
        if (left <= 0 || this.shutdown.signal.aborted) return false;
        await wakeable.wait(Math.min(left, LOOK_MS), this.shutdown.signal);
      }
    } finally {
      forget();
    }
  }
}
