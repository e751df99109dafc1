import { dueAt, isWritten, mayFeed, nodeStart, nodeStep } from '@systole/node-session';
import type { EndReason, Found, NodeEffect, NodeInput, NodeSettings, NodeState, NodeStep } from '@systole/node-session';
import type { Machine } from './machine.js';
import type { Network } from './network.js';
import type { Process } from './process.js';
import type { Programs } from './programs.js';
import { readAnswer, serve } from './wire.js';
import type { World } from './world.js';

type Body = NodeInput extends infer Input ? (Input extends NodeInput ? Omit<Input, 'now' | 'wallMs'> : never) : never;
type Effect<Type extends NodeEffect['type']> = Extract<NodeEffect, { readonly type: Type }>;

const FEED_EVERY_MS = 1_000;

export interface AgentSurroundings {
  readonly clusterId: string;
  readonly world: World;
  readonly network: Network;
  readonly note: (line: string) => void;
}

/** One life of an agent: the shell around the node's session as apps/agent is one, on a simulated machine. It decides nothing. */
export class AgentProcess {
  private state: NodeState;
  private callOff: () => void = () => undefined;
  private readonly requests = new Map<number, () => void>();
  private readonly kills = new Map<number, () => void>();
  private ending: EndReason | undefined;

  constructor(
    readonly process: Process,
    private readonly machine: Machine,
    private readonly programs: Programs,
    private readonly around: AgentSurroundings,
    settings: NodeSettings,
    private readonly onEnd: (reason: EndReason) => void,
  ) {
    const first = nodeStart(settings, this.found(), this.at());
    this.state = first.state;
    this.carryOut(first);
    if (settings.watchdog) this.feed();
  }

  /** The agent shall leave. */
  stop(): void {
    this.process.run(() => {
      this.input({ type: 'stop' });
    });
  }

  private at(): { readonly now: number; readonly wallMs: number } {
    const { clock } = this.process;
    return { now: clock.monotonic(), wallMs: clock.timeOfDay() };
  }

  private found(): Found {
    const { journal, runDirectory, bootId } = this.machine;
    const { lease, rescued } = runDirectory;
    const { now } = this.at();
    return {
      journal,
      ...(lease === undefined ? {} : { lease: { ageMs: now - lease.beganAt, leaseMs: lease.leaseMs } }),
      ...(journal.bootId === bootId || rescued === undefined ? {} : { rescued }),
    };
  }

  private feed(): void {
    if (mayFeed(this.state, this.at().now)) {
      this.machine.feedWatchdog();
      if (this.state.watchdogIs !== 'armed') this.input({ type: 'watchdog', is: 'armed', timeoutMs: this.state.settings.watchdogMs });
    }
    this.process.clock.after(FEED_EVERY_MS, () => {
      this.feed();
    });
  }

  /** Something happened outside of the process; it hears of that when it runs. */
  private hear(body: Body): void {
    this.process.run(() => {
      this.input(body);
    });
  }

  private input(body: Body): void {
    this.carryOut(nodeStep(this.state, { ...body, ...this.at() }));
  }

  /** How many results are not acknowledged. */
  get owes(): number {
    return this.state.journal.ahead.unacknowledged.size;
  }

  private carryOut({ state, effects }: NodeStep): void {
    this.state = state;
    for (const effect of effects) this.perform(effect);
    if (this.ending !== undefined && isWritten(state)) {
      this.exit(this.ending);
      return;
    }
    this.callOff();
    const due = dueAt(state);
    if (due === undefined) return;
    this.callOff = this.process.clock.after(due - this.process.clock.monotonic(), () => {
      this.input({ type: 'tick' });
    });
  }

  private exit(reason: EndReason): void {
    this.process.kill();
    if (reason !== 'left-unclean') this.machine.disarmWatchdog();
    this.onEnd(reason);
  }

  private perform(effect: NodeEffect): void {
    const { runDirectory } = this.machine;
    switch (effect.type) {
      case 'log':
        if (effect.level !== 'info')
          this.around.note(`${this.machine.name} ${effect.level}: ${effect.text} ${JSON.stringify(effect.fields)}`);
        return;
      case 'write':
        this.write(effect);
        return;
      case 'send':
        this.send(effect);
        return;
      case 'abandon':
        this.requests.get(effect.request)?.();
        return;
      case 'run':
        this.run(effect);
        return;
      case 'kill':
        this.kills.get(effect.run)?.();
        return;
      case 'end-leftover':
        this.programs.endLeftover(effect.actionId, () => {
          this.hear({ type: 'leftover-ended', actionId: effect.actionId });
        });
        return;
      case 'note-lease':
        runDirectory.lease = { beganAt: this.at().now - effect.ageMs, leaseMs: effect.leaseMs };
        return;
      case 'feed':
        // It is asked each time anyway.
        return;
      case 'forget-lease':
        delete runDirectory.lease;
        return;
      case 'end':
        this.ending = effect.reason;
        return;
    }
  }

  private write({ write, records }: Effect<'write'>): void {
    const { machine, around, process } = this;
    around.world.records.noteWriting(machine.node, records);
    machine.write(records, (problem) => {
      process.run(() => {
        if (problem !== undefined) {
          this.input({ type: 'write-failed', write, problem });
          return;
        }
        this.input({ type: 'written', write });
        const { active, onLeaseLoss, unmanaged } = this.state.journal.durable;
        machine.runDirectory.rescued = {
          active: [...active.values()],
          unmanaged: [...unmanaged],
          ...(onLeaseLoss === undefined ? {} : { onLeaseLoss }),
        };
      });
    });
  }

  private run({ run, actionId, job }: Effect<'run'>): void {
    const { world } = this.around;
    if (actionId !== undefined) world.execute(actionId, this.machine, job);
    this.kills.set(
      run,
      this.programs.start(job, actionId, (outcome) => {
        this.kills.delete(run);
        this.hear({ type: 'ended', run, outcome });
      }),
    );
    this.process.clock.after(1, () => {
      this.input({ type: 'started', run, process: { pid: run, startTicks: 1 } });
    });
  }

  private send({ request, server, message, timeoutMs }: Effect<'send'>): void {
    const { network, clusterId, world } = this.around;
    const { name, node } = this.machine;
    if (message.kind === 'results') world.records.noteTelling(node, message.body.incarnation, message.body.results);
    const caller = { clusterId, node, tokenId: `token-${node}`, actor: `agent:${node}` };
    const settle = (body: Body): void => {
      if (!this.requests.delete(request)) return;
      expire();
      // Who has to wait for another machine does no part.
      if (body.type === 'refused' && body.problemType.endsWith('/node-joined-elsewhere')) this.machine.disturbed();
      this.input(body);
    };
    const hangUp = network.call(
      name,
      server,
      message.kind,
      (api, signal) => serve(api, caller, message, signal),
      (reply) => {
        this.process.run(() => {
          settle(reply === 'unreachable' ? { type: 'unanswered', request, detail: reply } : readAnswer(request, message.kind, reply));
        });
      },
    );
    this.requests.set(request, () => {
      hangUp();
      settle({ type: 'unanswered', request, detail: 'given up' });
    });
    const expire = this.process.clock.after(timeoutMs, () => {
      hangUp();
      settle({ type: 'unanswered', request, detail: `no answer within ${String(timeoutMs)} ms` });
    });
  }
}
