import type { AgentResult, OnLeaseLoss, OperationStatus } from '@systole/protocol';
import type { Message, NodeEffect } from '../effects.js';
import type { NodeInput } from '../inputs.js';
import type { JournalRecord } from '../journal/record.js';
import { EMPTY_STATE, evolve } from '../journal/state.js';
import type { NodeSettings, NodeState } from '../state.js';
import { dueAt, nodeStart, nodeStep, type NodeStep } from '../step.js';
import { ACTION_TIMEOUT_MS, actionOf, SETTINGS } from './actions.js';

/**
 * Runs a scenario: text blocks of commands, `----`, and what comes of them, so that a difference in a test is a difference in behaviour
 * that anyone can read. Answers the same text with the actual outcomes.
 *
 * Commands, one a line:
 * - `node [lease-loss=stop|keep|watchdog] [watchdog] [servers=URL,URL] [limit=N]`: a new machine with an empty journal;
 * - `crash [boot=ID] [token=MARK] [lease-loss=…|server]`: the process dies and a new one begins, with what is on disk, and perhaps with other settings;
 * - `at MS`: time passes; every moment at which the session wants to be told the time is told it. `freeze MS`: time passes without the process;
 * - `joined [incarnation=N] [lease=MS] [epoch=E] [told=POLICY]`, `polled [ACTION…] [head=E:N] [told=POLICY] [reaction=panic] [unmanaged=R,R] [shutdown] [late]` (late: the poll before), `acknowledged`, `done`:
 *   answers to the request of that kind that is under way; ACTION as {@link actionOf} reads it;
 * - `refused join|poll|results STATUS [TYPE] [POINTER…]`, `unanswered join|poll|results|shutdown|leave [STATUS] [retry-after=MS]`;
 * - `ended ACTION|own:RESOURCE [rc=N] [status=S]`: the program of that action, or the agent's own stop of that resource;
 * - `programs slow|good`: whether programs that are started from now on are heard to be there;
 * - `disk slow|full|good`: what becomes of writes from now on (slow: nothing, until `good`);
 * - `stop`: the agent shall leave.
 */
export function runScenario(text: string): string {
  const run = new ScenarioRun();
  return text
    .trimEnd()
    .split(/\n\n+/)
    .map((block) => {
      const [commands = ''] = block.split('\n----');
      return commands.startsWith('#') ? commands : `${commands}\n----\n${run.execute(commands)}`;
    })
    .join('\n\n')
    .concat('\n');
}

type Body = NodeInput extends infer Input ? (Input extends NodeInput ? Omit<Input, 'now' | 'wallMs'> : never) : never;

class ScenarioRun {
  private settings: NodeSettings = SETTINGS;
  private state: NodeState | undefined;
  private now = 0;
  private disk: JournalRecord[] = [];
  private diskIs = 'good';
  private programsAre = 'good';
  private processes = 0;
  private leaseBegan: { readonly at: number; readonly leaseMs: number } | undefined;
  /** Newest request of each kind, and runs by what they are for. */
  private requests = new Map<string, number>();
  private runs = new Map<string, number>();
  private sent: readonly AgentResult[] = [];
  /** The poll before the newest. */
  private givenUp = -1;
  private unwritten: Extract<NodeEffect, { type: 'write' }> | undefined;
  private lines: string[] = [];

  execute(commands: string): string {
    this.lines = [];
    for (const line of commands.split('\n')) this.command(line.trim().split(/\s+/));
    return this.lines.length === 0 ? 'nothing' : this.lines.join('\n');
  }

  private command([verb = '', ...words]: readonly string[]): void {
    const options = new Map(words.filter((word) => word.includes('=')).map((word) => [word.split('=')[0] ?? '', word.split('=')[1] ?? '']));
    const plain = words.filter((word) => !word.includes('='));
    const [first = ''] = plain;
    switch (verb) {
      case 'node':
        this.begin(plain, options);
        return;
      case 'crash': {
        const { onLeaseLoss, ...settings } = this.settings;
        const policy = options.get('lease-loss') ?? onLeaseLoss ?? 'server';
        this.start({
          ...settings,
          ...(policy === 'server' ? {} : { onLeaseLoss: policy as OnLeaseLoss }),
          bootId: options.get('boot') ?? this.settings.bootId,
          tokenMark: options.get('token') ?? this.settings.tokenMark,
        });
        return;
      }
      case 'at':
        this.passTo(Number(first));
        return;
      case 'freeze':
        this.now = Number(first);
        return;
      case 'programs':
        this.programsAre = first;
        return;
      case 'disk':
        this.setDisk(first);
        return;
      case 'joined':
        this.input({ type: 'answered', request: this.request('join'), answer: { kind: 'join', join: joinOf(options) } });
        return;
      case 'polled':
        this.input({
          type: 'answered',
          request: plain.includes('late') ? this.givenUp : this.request('poll'),
          answer: { kind: 'poll', poll: pollOf(plain, options) },
        });
        return;
      case 'acknowledged': {
        const acknowledged = this.sent.map(({ resultId }) => resultId);
        const dropped = plain.includes('dropped') ? acknowledged.map((resultId) => ({ resultId, reason: 'not-asked-for' })) : undefined;
        const answer = { kind: 'results' as const, acknowledged, ...(dropped === undefined ? {} : { dropped }) };
        this.input({ type: 'answered', request: this.request('results'), answer });
        return;
      }
      case 'done':
        this.input({ type: 'answered', request: this.request(first), answer: { kind: 'done' } });
        return;
      case 'refused':
        this.input({
          type: 'refused',
          request: this.request(first),
          status: Number(plain[1]),
          problemType: `https://systole.dev/problems/${plain[2] ?? 'other'}`,
          detail: plain[2] ?? 'refused',
          places: plain.slice(3),
        });
        return;
      case 'unanswered':
        this.input({
          type: 'unanswered',
          request: this.request(first),
          detail: 'no answer',
          ...(plain[1] === undefined ? {} : { status: Number(plain[1]) }),
          ...(options.get('retry-after') === undefined ? {} : { retryAfterMs: Number(options.get('retry-after')) }),
        });
        return;
      case 'ended': {
        const status = (options.get('status') ?? 'done') as OperationStatus;
        const outcome = { status, rc: Number(options.get('rc') ?? 0), output: '', startedAtMs: 0, execMs: 1 };
        this.input({ type: 'ended', run: this.runs.get(first) ?? -1, outcome });
        return;
      }
      case 'stop':
        this.input({ type: 'stop' });
        return;
      default:
        throw new Error(`no such command: ${verb}`);
    }
  }

  private begin(plain: readonly string[], options: ReadonlyMap<string, string>): void {
    this.now = 0;
    this.disk = [];
    this.diskIs = 'good';
    this.programsAre = 'good';
    this.leaseBegan = undefined;
    const policy = options.get('lease-loss');
    this.start({
      ...SETTINGS,
      watchdog: plain.includes('watchdog'),
      servers: options.get('servers')?.split(',') ?? SETTINGS.servers,
      actionLimit: Number(options.get('limit') ?? SETTINGS.actionLimit),
      ...(policy === undefined ? {} : { onLeaseLoss: policy as OnLeaseLoss }),
    });
  }

  private start(settings: NodeSettings): void {
    this.processes += 1;
    this.settings = { ...settings, processStartedMs: this.now, instance: `i${this.processes}` };
    this.unwritten = undefined;
    const lease =
      this.leaseBegan === undefined ? {} : { lease: { ageMs: this.now - this.leaseBegan.at, leaseMs: this.leaseBegan.leaseMs } };
    const journal = this.disk.reduce(evolve, EMPTY_STATE);
    this.take(nodeStart(this.settings, { journal, ...lease }, { now: this.now, wallMs: 0 }));
  }

  private passTo(time: number): void {
    for (;;) {
      const { due } = this;
      if (due === undefined || due > time) break;
      this.now = Math.ceil(due);
      this.input({ type: 'tick' });
    }
    this.now = time;
    this.input({ type: 'tick' });
  }

  private setDisk(how: string): void {
    this.diskIs = how;
    const { unwritten } = this;
    this.unwritten = undefined;
    if (how === 'good' && unwritten !== undefined) this.write(unwritten);
  }

  private input(body: Body): void {
    if (this.state === undefined) throw new Error('a scenario begins with a node');
    this.take(nodeStep(this.state, { ...body, now: this.now, wallMs: 0 }));
  }

  private take({ state, effects }: NodeStep): void {
    this.state = state;
    const writes: Extract<NodeEffect, { type: 'write' }>[] = [];
    for (const effect of effects) {
      if (effect.type === 'write') writes.push(effect);
      else this.show(effect);
    }
    for (const write of writes) this.write(write);
  }

  private write(effect: Extract<NodeEffect, { type: 'write' }>): void {
    if (this.diskIs === 'slow') {
      this.unwritten = effect;
      return;
    }
    if (this.diskIs === 'full') {
      this.input({ type: 'write-failed', write: effect.write, problem: 'no space left' });
      return;
    }
    this.disk.push(...effect.records);
    this.input({ type: 'written', write: effect.write });
  }

  private show(effect: Exclude<NodeEffect, { type: 'write' }>): void {
    switch (effect.type) {
      case 'send':
        if (effect.message.kind === 'poll') this.givenUp = this.requests.get('poll') ?? -1;
        this.requests.set(effect.message.kind, effect.request);
        this.lines.push(`${shownMessage(effect.message)}${effect.server === 'http://a' ? '' : ` to ${effect.server}`}`);
        if (effect.message.kind === 'results') this.sent = effect.message.body.results;
        return;
      case 'run': {
        const what = effect.job.kind === 'fence' ? shownFencing(effect.job) : shownOperation(effect.job.operation);
        this.runs.set(effect.actionId ?? `own:${effect.job.kind === 'operation' ? effect.job.operation.resource.id : ''}`, effect.run);
        this.lines.push(`run ${what}${effect.actionId === undefined ? ' of its own accord' : ''}`);
        if (this.programsAre === 'good') this.input({ type: 'started', run: effect.run, process: { pid: 1, startTicks: 1 } });
        return;
      }
      case 'kill': {
        const [killed] = [...this.runs].find(([, run]) => run === effect.run) ?? ['?'];
        this.lines.push(`kill ${killed}`);
        return;
      }
      case 'end-leftover':
        this.lines.push(`end what is left of ${effect.actionId}`);
        this.input({ type: 'leftover-ended', actionId: effect.actionId });
        return;
      case 'log':
        if (effect.level !== 'info') this.lines.push(`${effect.level}: ${effect.text}`);
        return;
      case 'end':
        this.lines.push(`end: ${effect.reason}`);
        return;
      case 'feed':
        this.lines.push('feed the watchdog');
        return;
      case 'panic':
        this.lines.push('panic');
        return;
      case 'note-lease':
        this.leaseBegan = { at: this.now - effect.ageMs, leaseMs: effect.leaseMs };
        return;
      case 'forget-lease':
        this.leaseBegan = undefined;
        return;
      case 'abandon':
        return;
    }
  }

  /** The request of that kind that is under way, or is about to be sent. */
  private request(kind: string): number {
    const until = this.now + 100;
    for (let due = this.due; !this.isUnderWay(kind) && due !== undefined && due <= until; due = this.due) this.passTo(Math.ceil(due));
    if (!this.isUnderWay(kind)) throw new Error(`no ${kind} is under way`);
    return this.requests.get(kind) ?? -1;
  }

  private get due(): number | undefined {
    return this.state === undefined ? undefined : dueAt(this.state);
  }

  private isUnderWay(kind: string): boolean {
    return this.state?.requests.has(this.requests.get(kind) ?? -1) === true;
  }
}

function shownMessage(message: Message): string {
  switch (message.kind) {
    case 'join': {
      const { witness, attempt, active = [], stopFailed = [], lastIncarnation, localOnLeaseLoss } = message.body;
      return [
        `join ${attempt?.number ?? 0}`,
        ...(lastIncarnation === undefined ? [] : [`after ${lastIncarnation}`]),
        ...(active.length === 0 ? [] : [`active ${active.join(' ')}`]),
        ...(stopFailed.length === 0 ? [] : [`not stopped ${stopFailed.join(' ')}`]),
        ...(witness === undefined ? [] : [`witness ${witness.epoch}:${witness.version}`]),
        ...(localOnLeaseLoss === undefined ? [] : [`set to ${localOnLeaseLoss}`]),
      ].join(', ');
    }
    case 'poll': {
      const { seq, waitMs, known, active, troubles = [] } = message.body;
      return [
        `poll ${seq ?? 0} for ${waitMs}`,
        ...(known.length === 0 ? [] : [`known ${known.join(' ')}`]),
        ...(active.length === 0 ? [] : [`active ${active.join(' ')}`]),
        ...troubles.map(({ code }) => code),
      ].join(', ');
    }
    case 'results': {
      const results = message.body.results.map(({ actionId, status, rc, recurring, exitReason = '' }) =>
        [actionId, status, rc, ...(recurring ? ['again'] : []), ...(exitReason === '' ? [] : [`(${exitReason})`])].join(' '),
      );
      return `results of incarnation ${message.body.incarnation}: ${results.join('; ')}`;
    }
    case 'shutdown':
    case 'leave':
      return message.kind;
  }
}

type Job = Extract<NodeEffect, { type: 'run' }>['job'];

/** Its time where something was taken off it. */
function shownFencing({ order, timeoutMs }: Extract<Job, { kind: 'fence' }>): string {
  return `fencing of ${order.target}${timeoutMs === ACTION_TIMEOUT_MS ? '' : ` within ${timeoutMs}`}`;
}

type ShownOperation = Extract<Job, { kind: 'operation' }>['operation'];

/** The resource as `actionOf` reads it. */
function shownOperation({ resource, operation, intervalMs, parameters: { p } }: ShownOperation): string {
  const named = p === undefined ? resource.id : `${resource.id}/${resource.type}/${p}`;
  return `${operation} of ${named}${intervalMs === 0 ? '' : ` every ${intervalMs}`}`;
}

function joinOf(
  options: ReadonlyMap<string, string>,
): Extract<Extract<NodeInput, { type: 'answered' }>['answer'], { kind: 'join' }>['join'] {
  const epoch = options.get('epoch');
  const told = options.get('told');
  return {
    clusterId: 'c',
    clusterName: 'c',
    node: 'n1',
    nodeId: '1',
    incarnation: Number(options.get('incarnation') ?? 1),
    leaseMs: Number(options.get('lease') ?? 12_000),
    pollMs: 60_000,
    ...(epoch === undefined ? {} : { epoch }),
    ...(told === undefined ? {} : { onLeaseLoss: told as OnLeaseLoss }),
    ...escalationOf(options),
    ...thresholdOf(options),
  };
}

function thresholdOf(options: ReadonlyMap<string, string>): { readonly loadThreshold?: number } {
  const threshold = options.get('load-threshold');
  return threshold === undefined ? {} : { loadThreshold: Number(threshold) };
}

function escalationOf(options: ReadonlyMap<string, string>): { readonly shutdownEscalationMs?: number } {
  const escalation = options.get('escalation');
  return escalation === undefined ? {} : { shutdownEscalationMs: Number(escalation) };
}

function pollOf(
  plain: readonly string[],
  options: ReadonlyMap<string, string>,
): Extract<Extract<NodeInput, { type: 'answered' }>['answer'], { kind: 'poll' }>['poll'] {
  const [epoch, version] = options.get('head')?.split(':') ?? [];
  const told = options.get('told');
  return {
    leaseMs: 12_000,
    actions: plain.filter((word) => word.includes(':')).map(actionOf),
    unreadable: [],
    ...(epoch === undefined ? {} : { head: { epoch, version: Number(version), hash: 'h' } }),
    ...(told === undefined ? {} : { onLeaseLoss: told as OnLeaseLoss }),
    ...(options.get('reaction') === 'panic' ? { fenceReaction: 'panic' as const } : {}),
    ...escalationOf(options),
    ...thresholdOf(options),
    ...(options.has('unmanaged') ? { unmanaged: options.get('unmanaged')?.split(',') ?? [] } : {}),
    ...(plain.includes('shutdown') ? { shutdown: true } : {}),
  };
}
