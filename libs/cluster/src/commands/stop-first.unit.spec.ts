import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../events/cluster-event.js';
import type { ClusterState } from '../state/cluster-state.js';
import { append, execute, option, planned, threeNodes } from '../testing/stream.js';
import type { JoinNode } from './agent-command.js';
import { decide } from './decide.js';

/** Each process has a letter. */
const join = (process: string, number: number, more: Partial<JoinNode> = {}): JoinNode => ({
  type: 'join-node',
  node: 'n1',
  agentVersion: '1',
  leaseMs: 5000,
  bootId: 'boot',
  attempt: { processStartedMs: process.charCodeAt(0), number },
  ...more,
});
const outcomeOf = (command: JoinNode, state: ClusterState): string => {
  const decision = decide(command, state);
  if (!decision.ok) return decision.rejection.code;
  const [event] = decision.events;
  return event?.type === 'NodeJoined' ? `incarnation ${String(event.data.incarnation)}` : 'as before';
};
const lost = { type: 'lose-lease', node: 'n1', incarnation: 2, expiredAt: 'x' } as const;
const DB = '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>';

describe('a node that comes back with what it ran', () => {
  const ran = { active: ['db', 'vip'], lastIncarnation: 2 };
  const joined = execute(threeNodes({ resources: DB, options: option('stonith-enabled', 'true') }), join('a', 1));
  const down = execute(joined, lost, { type: 'confirm-node-down', node: 'n1' });
  const pointers = (command: JoinNode, state: ClusterState): readonly (string | undefined)[] => {
    const decision = decide(command, state);
    return decision.ok ? [] : (decision.rejection.issues ?? []).map(({ pointer }) => pointer);
  };

  it('stops it first after it was confirmed down, and is let in without it', () => {
    expect(outcomeOf(join('b', 1, ran), down)).toBe('declared-down');
    expect(pointers(join('b', 1, ran), down)).toEqual(['/active/0', '/active/1']);
    expect(outcomeOf(join('b', 1), down)).toBe('incarnation 3');
    expect(outcomeOf(join('b', 1, { ...ran, active: [] }), down)).toBe('incarnation 3');
  });

  it('is let in with what it could not stop: it has to be seen that it runs there', () => {
    expect(pointers(join('b', 1, { ...ran, stopFailed: ['db'] }), down)).toEqual(['/active/1']);
    expect(outcomeOf(join('b', 1, { ...ran, stopFailed: ['vip', 'db'] }), down)).toBe('incarnation 3');
  });

  it('goes on with it after its lease was lost where nothing was started elsewhere without fencing', () => {
    expect(outcomeOf(join('b', 1, ran), execute(joined, lost))).toBe('incarnation 3');
    const unfenced = execute(threeNodes({ options: option('stonith-enabled', 'false') }), join('a', 1, { onLeaseLoss: 'stop' }), lost);
    expect(outcomeOf(join('b', 1, ran), unfenced)).toBe('declared-down');
  });

  it('stops it when the node was taken for another boot since', () => {
    const replaced = execute(down, join('b', 1, { bootId: 'boot-2' }), { ...lost, incarnation: 3 });
    expect(outcomeOf(join('a', 2, ran), replaced)).toBe('declared-down');
    expect(outcomeOf(join('c', 1, { bootId: 'boot-2', active: ['db'], lastIncarnation: 3 }), replaced)).toBe('incarnation 4');
  });

  describe('and left during maintenance', () => {
    const left = execute(threeNodes({ resources: DB, options: option('maintenance-mode', 'true') }), join('a', 1), {
      type: 'leave-node',
      node: 'n1',
      incarnation: 2,
    });
    const active = { active: ['db'], lastIncarnation: 2 };

    it('goes on with it', () => {
      expect(outcomeOf(join('b', 1, active), left)).toBe('incarnation 3');
    });

    it('but not where another node has it, or may be about to start it', () => {
      const elsewhere = append(left, {
        type: 'OperationRecorded',
        data: {
          ...{ node: 'n2', incarnation: 1, resource: 'db', class: 'ocf', provider: 'systole', agentType: 'Dummy', operation: 'start' },
          ...{
            intervalMs: 0,
            status: 'done',
            rc: 0,
            callId: 1,
            transitionKey: '1:1:0:c',
            lastRcChange: 1,
            execMs: 1,
            queueMs: 0,
            late: false,
          },
        },
      });
      expect(outcomeOf(join('b', 1, active), elsewhere)).toBe('declared-down');
      const aborting = execute(planned(left), { type: 'abort-transition', number: 1, reason: 'r' });
      expect(outcomeOf(join('b', 1, active), aborting)).toBe('declared-down');
    });

    describe('an instance of a clone', () => {
      const clone = (meta: string, child = DB): string => {
        const pairs = [...meta.matchAll(/(\S+)=(\S+)/g)].map(
          ([, name, value]) => `<nvpair id="c-${String(name)}" name="${String(name)}" value="${String(value)}"/>`,
        );
        return `<clone id="c"><meta_attributes id="c-m">${pairs.join('')}</meta_attributes>${child}</clone>`;
      };
      const running = (node: string, operation: string, rc = 0, incarnation = 1): ClusterEvent => ({
        type: 'OperationRecorded',
        data: {
          ...{ node, incarnation, resource: 'db', class: 'ocf', provider: 'systole', agentType: 'Dummy', operation, status: 'done' },
          ...{ intervalMs: 0, rc, callId: 1, transitionKey: `1:1:${String(rc)}:c`, lastRcChange: 1, execMs: 1, queueMs: 0, late: false },
        },
      });
      /** n1 left while maintenance lasted; `known`: with what it runs on with, or confirmed down since. */
      const away = (resources: string, known: boolean, ...events: readonly ClusterEvent[]): ClusterState => {
        const before = append(threeNodes({ resources, options: option('maintenance-mode', 'true') }), ...events);
        const gone = execute(append(execute(before, join('a', 1)), running('n1', 'start', 0, 2)), {
          type: 'leave-node',
          node: 'n1',
          incarnation: 2,
          active: ['db'],
        });
        return known ? gone : execute(gone, { type: 'confirm-node-down', node: 'n1' });
      };
      const back = join('b', 1, active);

      it.each([true, false])('goes on beside those on other nodes, in a group or not (known to be left running: %s)', (known) => {
        for (const resources of [clone(''), clone('', `<group id="g">${DB}</group>`), clone('clone-max=2'), clone('promotable=true')])
          expect(outcomeOf(back, away(resources, known, running('n2', 'start')))).toBe('incarnation 3');
      });

      it.each([true, false])('but not where it would be one too many, or is another one (known to be left running: %s)', (known) => {
        for (const resources of [clone('clone-max=1'), clone('globally-unique=true'), clone('clone-node-max=2')])
          expect(outcomeOf(back, away(resources, known, running('n2', 'start')))).toBe('declared-down');
        expect(outcomeOf(back, away(clone('clone-max=2'), known, running('n2', 'start'), running('n3', 'monitor')))).toBe('declared-down');
      });

      it('may be promoted: that counts as long as others may have been promoted since it was heard of', () => {
        const promotable = clone('promotable=true');
        for (const promoted of [running('n2', 'promote'), running('n2', 'monitor', 8)]) {
          expect(outcomeOf(back, away(promotable, false, promoted))).toBe('declared-down');
          expect(outcomeOf(back, away(promotable, true, promoted))).toBe('incarnation 3');
        }
        expect(outcomeOf(back, away(promotable, false, running('n2', 'demote')))).toBe('incarnation 3');
        const two = clone('promotable=true promoted-max=2');
        expect(outcomeOf(back, away(two, false, running('n2', 'promote')))).toBe('incarnation 3');
        expect(outcomeOf(back, away(two, false, running('n2', 'promote'), running('n3', 'promote')))).toBe('declared-down');
      });
    });
  });
});
