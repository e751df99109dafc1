import { LIMITS, type AgentAction } from '@systole/protocol';
import { expect, it } from 'vitest';
import { dueAt, EMPTY_STATE, nodeStart, nodeStep, type NodeInput, type NodeState, type NodeStep } from './index.js';
import { actionOf, SETTINGS } from './testing/actions.js';

type Body = NodeInput extends infer Input ? (Input extends NodeInput ? Omit<Input, 'now' | 'wallMs'> : never) : never;

const POLL_MS = 2_000;

/** A node whose disk, programs and server answer at once; the orders come with polls. */
class Node {
  private state: NodeState;
  private now = 1_000;
  private readonly inputs: Body[] = [];
  private poll: { readonly request: number; readonly at: number } | undefined;
  executed = 0;

  constructor(private readonly orders: AgentAction[]) {
    const begun = nodeStart({ ...SETTINGS, actionLimit: 16 }, { journal: EMPTY_STATE }, { now: this.now, wallMs: 0 });
    this.state = begun.state;
    this.carryOut(begun);
    this.settle();
  }

  private carryOut({ effects }: NodeStep): void {
    for (const effect of effects) {
      if (effect.type === 'write') this.inputs.push({ type: 'written', write: effect.write });
      if (effect.type === 'run') {
        const { run } = effect;
        this.executed += 1;
        this.inputs.push({ type: 'started', run, process: { pid: 1, startTicks: 1 } });
        this.inputs.push({ type: 'ended', run, outcome: { status: 'done', rc: 0, output: '', startedAtMs: 0, execMs: 1 } });
      }
      if (effect.type !== 'send') continue;
      const { request, message } = effect;
      if (message.kind === 'join') {
        const protocol = { major: 1, minor: 0 };
        const named = { cluster: 'c', clusterId: 'c', node: 'n', nodeId: '1', clusterName: 'c', incarnation: 1 };
        this.inputs.push({
          type: 'answered',
          request,
          answer: { kind: 'join', join: { protocol, ...named, leaseMs: 10_000, pollMs: 5_000 } },
        });
      } else if (message.kind === 'results') {
        const acknowledged = message.body.results.map(({ resultId }) => resultId);
        this.inputs.push({ type: 'answered', request, answer: { kind: 'results', acknowledged } });
      } else if (message.kind === 'poll') this.poll = { request, at: this.now };
    }
  }

  private input(body: Body): void {
    const next = nodeStep(this.state, { ...body, now: this.now, wallMs: 0 });
    this.state = next.state;
    dueAt(this.state);
    this.carryOut(next);
  }

  private settle(): void {
    for (let next = this.inputs.shift(); next !== undefined; next = this.inputs.shift()) this.input(next);
  }

  private answerPoll(): void {
    if (this.poll === undefined || (this.orders.length === 0 && this.now < this.poll.at + POLL_MS)) return;
    const { request } = this.poll;
    this.poll = undefined;
    const actions = this.orders.splice(0, LIMITS.results);
    this.input({ type: 'answered', request, answer: { kind: 'poll', poll: { leaseMs: 10_000, actions, unreadable: [] } } });
    this.settle();
  }

  /** CPU time of an action, ms. */
  costWhile(ms: number): number {
    const { executed } = this;
    const before = process.cpuUsage();
    for (const end = this.now + ms; this.now < end;) {
      this.now = Math.min(end, this.now + 500, dueAt(this.state) ?? end);
      this.input({ type: 'tick' });
      this.settle();
      this.answerPoll();
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / (this.executed - executed);
  }
}

function monitors(count: number): AgentAction[] {
  return Array.from({ length: count }, (_, number) => actionOf(`${String(number)}:monitor:r${String(number)}:10000`));
}

/** The least of some measurements: whatever else the machine does only adds. */
function costs(resources: number, times: number): { readonly first: number; readonly repeated: number } {
  const all = Array.from({ length: times }, () => {
    const node = new Node(monitors(resources));
    return { first: node.costWhile(20_000), repeated: node.costWhile(30_000) };
  });
  return { first: Math.min(...all.map(({ first }) => first)), repeated: Math.min(...all.map(({ repeated }) => repeated)) };
}

it('an operation costs about as much on a node of 4,000 resources as on one of 100', () => {
  costs(100, 2);
  const few = costs(100, 5);
  const many = costs(4_000, 1);
  // What walks all resources at each step costs 6 times as much for repetitions, and 14 times for first runs; what is measured while others use the machine gets room.
  expect(many.repeated / few.repeated).toBeLessThan(2.5);
  expect(many.first / few.first).toBeLessThan(2.5);
}, 60_000);
