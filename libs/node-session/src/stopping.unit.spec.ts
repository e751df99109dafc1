import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dueAt,
  EMPTY_STATE,
  evolve,
  nodeStart,
  nodeStep,
  type NodeEffect,
  type NodeInput,
  type NodeState,
  type NodeStep,
} from './index.js';
import type { JournalRecord } from './journal/record.js';
import type { OperationJob } from './effects.js';
import { actionOf, SETTINGS } from './testing/actions.js';

type Body = NodeInput extends infer Input ? (Input extends NodeInput ? Omit<Input, 'now' | 'wallMs'> : never) : never;
type Role = 'stopped' | 'unpromoted' | 'promoted';

const LEASE_MS = 12_000;

/** What becomes of a program: it ends, or is cut off with or without what it was for. */
type Fate = 'ends' | 'cut off' | 'cut off, done';

/** A node whose resources are strict about their roles: what is promoted is not stopped. */
class Node {
  readonly roles = new Map<string, Role>();
  readonly own: OperationJob[] = [];
  private state: NodeState;
  private now = 0;
  private readonly disk: JournalRecord[] = [];
  private readonly inputs: Body[] = [];
  private programs: { readonly run: number; readonly operation: OperationJob }[] = [];
  private poll: number | undefined;
  private actions = 0;
  private lives = 0;
  reachable = true;

  constructor() {
    this.state = this.start();
    this.settle();
  }

  private start(): NodeState {
    this.programs = [];
    this.inputs.length = 0;
    this.poll = undefined;
    const journal = this.disk.reduce(evolve, EMPTY_STATE);
    const step = nodeStart({ ...SETTINGS, onLeaseLoss: 'stop', instance: `i${this.now}` }, { journal }, { now: this.now, wallMs: 0 });
    this.take(step);
    return step.state;
  }

  crash(): void {
    this.now += 1;
    this.state = this.start();
    this.settle();
  }

  order(operation: string, resource: string, more: Partial<ReturnType<typeof actionOf>> = {}): void {
    this.passTo(this.now + 100);
    if (this.poll === undefined) return;
    this.actions += 1;
    const action = { ...actionOf(`${this.actions}:${operation}:${resource}`), ...more };
    this.inputs.push({
      type: 'answered',
      request: this.poll,
      answer: { kind: 'poll', poll: { leaseMs: LEASE_MS, actions: [action], unreadable: [] } },
    });
    this.poll = undefined;
    this.settle();
  }

  /** What the oldest program does, and how it ends. */
  endProgram(fate: Fate): void {
    const program = this.programs.shift();
    if (program === undefined) return;
    const rc = fate === 'cut off' ? 1 : this.effectOf(program.operation);
    const outcome = { status: fate === 'ends' ? 'done' : 'timeout', rc, output: '', startedAtMs: 0, execMs: 1 } as const;
    this.inputs.push({ type: 'ended', run: program.run, outcome });
    this.settle();
  }

  private effectOf({ operation, resource: { historyId } }: OperationJob): number {
    const role = this.roles.get(historyId) ?? 'stopped';
    const become = (next: Role): number => {
      this.roles.set(historyId, next);
      return 0;
    };
    switch (operation) {
      case 'start':
        return role === 'promoted' ? 8 : become('unpromoted');
      case 'promote':
        return role === 'stopped' ? 7 : become('promoted');
      case 'demote':
        return role === 'stopped' ? 7 : become('unpromoted');
      case 'stop':
        return role === 'promoted' ? 8 : become('stopped');
      default:
        return role === 'promoted' ? 8 : role === 'stopped' ? 7 : 0;
    }
  }

  /** Nobody answers until everything has been done about that. */
  loseLease(): void {
    this.reachable = false;
    this.passTo(this.now + 2 * LEASE_MS);
    for (let left = 100; left > 0 && this.programs.length > 0; left -= 1) this.endProgram('ends');
  }

  private passTo(time: number): void {
    for (let due = dueAt(this.state); due !== undefined && due <= time; due = dueAt(this.state)) {
      this.now = Math.ceil(due);
      this.inputs.push({ type: 'tick' });
      this.settle();
    }
    this.now = time;
    this.inputs.push({ type: 'tick' });
    this.settle();
  }

  private settle(): void {
    for (let body = this.inputs.shift(); body !== undefined; body = this.inputs.shift()) {
      const step = nodeStep(this.state, { ...body, now: this.now, wallMs: 0 });
      this.state = step.state;
      this.take(step);
    }
  }

  private take({ effects }: NodeStep): void {
    for (const effect of effects) this.carryOut(effect);
  }

  private carryOut(effect: NodeEffect): void {
    switch (effect.type) {
      case 'write':
        this.disk.push(...effect.records);
        this.inputs.push({ type: 'written', write: effect.write });
        return;
      case 'end-leftover':
        this.inputs.push({ type: 'leftover-ended', actionId: effect.actionId });
        return;
      case 'run':
        if (effect.job.kind !== 'operation') return;
        if (effect.actionId === undefined) this.own.push(effect.job.operation);
        this.programs.push({ run: effect.run, operation: effect.job.operation });
        return;
      case 'send':
        this.ask(effect);
        return;
      default:
        return;
    }
  }

  private ask({ request, message }: Extract<NodeEffect, { type: 'send' }>): void {
    if (!this.reachable) {
      this.inputs.push({ type: 'unanswered', request, detail: 'away' });
      return;
    }
    switch (message.kind) {
      case 'join': {
        this.lives += 1;
        const join = { clusterId: 'c', clusterName: 'c', node: 'n1', nodeId: '1', leaseMs: LEASE_MS, pollMs: 5_000 };
        this.inputs.push({ type: 'answered', request, answer: { kind: 'join', join: { ...join, incarnation: this.lives } } });
        return;
      }
      case 'poll':
        this.poll = request;
        return;
      case 'results': {
        const acknowledged = message.body.results.map(({ resultId }) => resultId);
        this.inputs.push({ type: 'answered', request, answer: { kind: 'results', acknowledged } });
        return;
      }
      default:
        this.inputs.push({ type: 'answered', request, answer: { kind: 'done' } });
    }
  }
}

const fate = fc.constantFrom<Fate>('ends', 'ends', 'ends', 'cut off', 'cut off, done');
const resource = fc.constantFrom('r1', 'r2', 'r3');
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ operation: fc.constantFrom('start', 'promote', 'demote', 'stop', 'monitor'), resource, fate }) },
  { weight: 1, arbitrary: fc.record({ promotedByHand: resource }) },
  { weight: 1, arbitrary: fc.constant('crash' as const) },
);

describe('the agent, when it stops everything of its own accord', () => {
  it('leaves nothing promoted or running, whatever it knows of the roles', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const node = new Node();
        for (const one of steps) {
          if (one === 'crash') node.crash();
          else if ('promotedByHand' in one) {
            if (node.roles.get(one.promotedByHand) === 'unpromoted') node.roles.set(one.promotedByHand, 'promoted');
          } else {
            node.order(one.operation, one.resource);
            node.endProgram(one.fate);
          }
        }
        node.loseLease();
        expect([...node.roles].filter(([, role]) => role !== 'stopped')).toEqual([]);
      }),
    );
  });

  it.each([
    ['as told', { stopTimeoutMs: 70_000, demoteTimeoutMs: 90_000 }, [90_000, 70_000]],
    ['of a stop, where only that was told', { stopTimeoutMs: 70_000 }, [70_000, 70_000]],
    ['as set here, where nothing was told', {}, [SETTINGS.stopTimeoutMs, SETTINGS.stopTimeoutMs]],
  ])('gives demote and stop their time: %s', (_, times, expected) => {
    const node = new Node();
    for (const operation of ['start', 'promote']) {
      node.order(operation, 'db', times);
      node.endProgram('ends');
    }
    node.loseLease();
    expect(node.own.map(({ operation, timeoutMs }) => [operation, timeoutMs])).toEqual([
      ['demote', expected[0]],
      ['stop', expected[1]],
    ]);
  });
});
