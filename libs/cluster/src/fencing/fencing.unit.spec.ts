import { serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import type { RecordResults, ReportedResult } from '../commands/agent-command.js';
import { decide } from '../commands/decide.js';
import type { ClusterState } from '../state/cluster-state.js';
import { nodeStateOf, transientAttribute } from '../state/node-state.js';
import { resultFrom, SERVER } from '../state/transition-results.js';
import { append, EPOCH, execute, option, planned, threeNodes } from '../testing/stream.js';
import { startedResult } from '../testing/started.js';
import { agentParameters, canFence, fencingDevices } from './device.js';
import { toFenceAction } from './fence-action.js';
import { executorsFor, fencingStep, type FencingOperation } from './fencing-step.js';
import { device, FENCE_N3, fencingCluster, level, playFencing, withLostNode } from './testing/fencing-cluster.js';
import { fencingPlan } from './topology.js';

describe('which device can fence a node', () => {
  const only = (parameters: Readonly<Record<string, string>>): boolean => {
    const [found] = fencingDevices(fencingCluster(device('f', parameters)).cib, 0);
    return found !== undefined && canFence(found, 'n3');
  };

  it('is said by a list or a map, else it can fence any', () => {
    expect(only({})).toBe(true);
    expect(only({ pcmk_host_list: 'n1 N3' })).toBe(true);
    expect(only({ pcmk_host_list: 'n1,n2' })).toBe(false);
    expect(only({ pcmk_host_map: 'n3:7;n1:2,3' })).toBe(true);
    expect(only({ pcmk_host_map: 'n1:7' })).toBe(false);
    expect(only({ pcmk_host_list: 'n1', pcmk_host_check: 'none' })).toBe(true);
  });

  it('is never one whose target role is Stopped', () => {
    const stopped = device('f').replace(
      '</primitive>',
      '<meta_attributes id="m"><nvpair id="t" name="target-role" value="Stopped"/></meta_attributes></primitive>',
    );
    expect(fencingPlan(fencingCluster(stopped), 'n3', 'off')).toEqual([]);
  });
});

describe('what a fence agent is told', () => {
  const told = (parameters: Readonly<Record<string, string>>): unknown => {
    const [found] = fencingDevices(fencingCluster(device('f', parameters)).cib, 0);
    return found && agentParameters(found, 'n3', 'reboot');
  };

  it('is its own parameters, the action and the plug', () => {
    expect(told({ ip: '10.0.0.1', pcmk_host_list: 'n3' })).toEqual({ ip: '10.0.0.1', action: 'reboot', nodename: 'n3', port: 'n3' });
    expect(told({ pcmk_host_map: 'n3:7', pcmk_host_argument: 'plug', pcmk_reboot_action: 'off' })).toEqual({
      action: 'off',
      nodename: 'n3',
      plug: '7',
    });
    expect(told({ pcmk_host_argument: 'none' })).toEqual({ action: 'reboot', nodename: 'n3' });
  });

  it('comes with the time-out and the delay of the device', () => {
    const state = withLostNode(
      fencingCluster(device('f', { pcmk_reboot_timeout: '90s', pcmk_delay_base: 'n3:5s;n1:1s' }), '', option('stonith-timeout', '20s')),
    );
    const next = fencingStep(state, FENCE_N3);
    if (next.type !== 'request') throw new Error(next.type);
    expect(toFenceAction(state, { ...next.request, fencingId: 'x' }, { epoch: 'c' })).toMatchObject({
      actionId: 'c:1:9:x',
      kind: 'fence',
      timeoutMs: 90_000,
      startDelayMs: 5000,
      fence: { target: 'n3', agent: 'fence_test' },
    });
  });
});

describe('who runs the device', () => {
  it('is one from where it can fence the target, with the parameters that it has there', () => {
    const on = (node: string, pairs: string): string =>
      `<instance_attributes id="f-${node}"><rule id="f-${node}-r"><expression id="f-${node}-e" attribute="#uname" operation="eq" value="${node}"/></rule>${pairs}</instance_attributes>`;
    const pair = (id: string, name: string, value: string): string => `<nvpair id="${id}" name="${name}" value="${value}"/>`;
    const resources =
      '<primitive id="f" class="stonith" type="fence_test">' +
      on('n1', pair('a', 'pcmk_host_list', 'n2')) +
      on('n2', pair('b', 'pcmk_host_list', 'n3') + pair('c', 'ip', '10.0.0.2')) +
      '</primitive>';
    const state = withLostNode(fencingCluster(resources));
    const next = fencingStep(state, FENCE_N3);
    if (next.type !== 'request') throw new Error(next.type);
    expect(next.request.executor).toBe('n2');
    expect(toFenceAction(state, { ...next.request, fencingId: 'x' }, { epoch: 'c' })?.fence?.parameters).toMatchObject({ ip: '10.0.0.2' });
  });

  it('is a node on which it is active, another one, and the target only when nobody else is there', () => {
    let state = threeNodes({ resources: device('f') });
    const [f] = fencingDevices(state.cib, 0);
    if (f === undefined) throw new Error('no device');
    expect(executorsFor(state, f, 'n1')).toEqual(['n2', 'n3']);
    const started = startedResult('f', { resource: { id: 'f', historyId: 'f', class: 'stonith', type: 'fence_test' } });
    state = execute(state, { type: 'record-results', node: 'n3', incarnation: 1, results: [started] });
    expect(executorsFor(state, f, 'n1')).toEqual(['n3', 'n2']);
    for (const node of ['n2', 'n3']) state = execute(state, { type: 'lose-lease', node, incarnation: 1, expiredAt: 'x' });
    expect(executorsFor(state, f, 'n1')).toEqual(['n1']);
  });
});

describe('fencing a node', () => {
  it('succeeds with the first device that succeeds, and the node is down', () => {
    const { log, state } = playFencing(withLostNode(fencingCluster(device('f') + device('g'))), [true]);
    expect(log).toEqual(['reboot by f on n1', 'finished ok']);
    expect(state.nodes['n3']?.membership).toBe('down');
    expect(state.transition?.status).toBe('running');
    expect(state.transition && resultFrom(state.transition, 9, SERVER)).toMatchObject({ ok: true });
  });

  it('tries a device twice, from another node, then the next device', () => {
    const { log } = playFencing(withLostNode(fencingCluster(device('f') + device('g'))), [false, false, true]);
    expect(log).toEqual(['reboot by f on n1', 'reboot by f on n2', 'reboot by g on n1', 'finished ok']);
  });

  it('fails when every device has failed, and the transition aborts', () => {
    const { log, state } = playFencing(withLostNode(fencingCluster(device('f', { pcmk_reboot_retries: '1' }))), [false]);
    expect(log).toEqual(['reboot by f on n1', 'finished failed']);
    expect(state.nodes['n3']?.membership).toBe('lost');
    expect(state.transition?.status).toBe('aborting');
    expect(state.fencingFailures['n3']?.count).toBe(1);
  });

  it('needs every device of a level, all off before the first is on again', () => {
    const { log, state } = playFencing(withLostNode(fencingCluster(device('f') + device('g'), level(1, 'f,g'))), [
      true,
      true,
      false,
      false,
      true,
    ]);
    expect(log).toEqual(['off by f on n1', 'off by g on n1', 'on by f on n1', 'on by f on n2', 'on by g on n1', 'finished ok']);
    expect(state.nodes['n3']?.membership).toBe('down');
  });

  it('goes to the next level when a device of a level has failed', () => {
    const levels = level(2, 'g') + level(1, 'f,h');
    const off: FencingOperation = { ...FENCE_N3, action: 'off' };
    const { log } = playFencing(
      withLostNode(fencingCluster(device('f') + device('g') + device('h'), levels)),
      [true, false, false, true],
      off,
    );
    expect(log).toEqual(['off by f on n1', 'off by h on n1', 'off by h on n2', 'off by g on n1', 'finished ok']);
  });

  it('finds levels by pattern and by attribute', () => {
    const state = fencingCluster(device('f') + device('g'), level(1, 'g', 'target-pattern="^n[23]$"') + level(1, 'f', 'target="n1"'));
    expect(fencingPlan(state, 'n3', 'off').map((turns) => turns.map((turn) => turn.device.id))).toEqual([['g']]);
    const byAttribute = append(fencingCluster(device('f') + device('g'), level(1, 'f', 'target-attribute="rack" target-value="7"')), {
      type: 'NodeAttributeSet',
      data: { node: 'n3', name: 'rack', value: '7', lifetime: 'forever' },
    });
    expect(fencingPlan(byAttribute, 'n3', 'off').map((turns) => turns.map((turn) => turn.device.id))).toEqual([['f']]);
  });

  it('is held while no device can do it, and is done when a person confirms', () => {
    const state = withLostNode(fencingCluster(device('f', { pcmk_host_list: 'n1' })));
    expect(fencingStep(state, FENCE_N3)).toMatchObject({ type: 'held' });
    expect(fencingStep(execute(state, { type: 'confirm-node-down', node: 'n3' }), FENCE_N3)).toEqual({ type: 'finished', ok: true });
  });

  describe('that has failed stonith-max-attempts times', () => {
    /** A transition that tries to fence n3 and can't; says what it did. */
    const attempt = (state: ClusterState, at?: number): { readonly log: readonly string[]; readonly state: ClusterState } => {
      const running = planned(state, at ?? EPOCH / 1000 + state.version);
      const number = running.transition?.number ?? 0;
      const played = playFencing(running, [false], { ...FENCE_N3, transition: number });
      const result = { number, outcome: 'aborted', completed: 0, skipped: 0, failed: 1 } as const;
      return { log: played.log, state: execute(played.state, { type: 'complete-transition', result }) };
    };
    const tried = ['reboot by f on n1', 'finished failed'];
    const held = [expect.stringContaining('held: fencing of n3 failed 2 times')];
    const failedTwice = (): ClusterState => {
      const other = '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>';
      let state = fencingCluster(
        device('f', { pcmk_reboot_retries: '1' }) + other,
        level(1, 'f'),
        option('stonith-max-attempts', '2') + option('cluster-recheck-interval', '5min'),
      );
      state = execute(state, { type: 'lose-lease', node: 'n3', incarnation: 1, expiredAt: 'x' });
      for (let time = 1; time <= 2; time++) {
        const one = attempt(state);
        expect(one.log).toEqual(tried);
        state = one.state;
      }
      expect(attempt(state).log).toEqual(held);
      return state;
    };
    const changed = (state: ClusterState, from: string, to: string): ClusterState => {
      const cib = serializeXml(state.cib);
      expect(cib).toContain(from);
      return execute(state, { type: 'replace-configuration', cib: cib.replace(from, to) });
    };

    it('is held, until the node joins', () => {
      const state = execute(failedTwice(), { type: 'join-node', node: 'n3', agentVersion: '1', leaseMs: 1 });
      expect(state.fencingFailures).toEqual({});
    });

    it.each([
      ['a device is changed', 'pcmk_reboot_retries" value="1"', 'pcmk_reboot_retries" value="2"'],
      ['a device is added', '<primitive id="db"', `${device('g')}<primitive id="db"`],
      ['the topology is changed', 'index="1"', 'index="2"'],
      ['an option about fencing is changed', 'name="stonith-max-attempts" value="2"', 'name="stonith-max-attempts" value="3"'],
    ])('is tried anew when %s', (_, from, to) => {
      const state = changed(failedTwice(), from, to);
      expect(state.fencingFailures).toEqual({});
      expect(attempt(state).log[0]).toBe('reboot by f on n1');
    });

    it('stays held when something else is changed', () => {
      const state = changed(
        failedTwice(),
        '<primitive id="db"',
        '<primitive id="web" class="ocf" provider="systole" type="Dummy"/><primitive id="db"',
      );
      expect(attempt(state).log).toEqual(held);
    });

    it('is tried anew when a device is cleaned up, not another resource', () => {
      const cleared = (resource: string): ClusterState => execute(failedTwice(), { type: 'clear-failures', resource, node: 'n1' });
      expect(attempt(cleared('db')).log).toEqual(held);
      expect(attempt(cleared('f')).log).toEqual(tried);
    });

    it('is tried anew when a device is cleaned up that shows no failure but that it could not fence', () => {
      const probed: ReportedResult = {
        resultId: 'r',
        actionId: 'a',
        transitionKey: '1:1:7:c',
        resource: { id: 'f', historyId: 'f', class: 'stonith', type: 'fence_test' },
        operation: 'monitor',
        intervalMs: 0,
        status: 'done',
        rc: 7,
        callId: 1,
        startedAt: 1,
        execMs: 1,
        queueMs: 0,
        recurring: false,
      };
      const state = execute(failedTwice(), { type: 'record-results', node: 'n1', incarnation: 1, results: [probed] });
      expect(attempt(execute(state, { type: 'clean-up-resource', resource: 'db' })).log).toEqual(held);
      expect(attempt(execute(state, { type: 'clean-up-resource', resource: 'f' })).log).toEqual(tried);
    });

    it('is tried anew by what is planned cluster-recheck-interval later, and again as often', () => {
      let state = failedTwice();
      const failedAt = Math.floor(Date.parse(state.fencingFailures['n3']?.at ?? '') / 1000);
      expect(attempt(state, failedAt + 299).log).toEqual(held);
      for (let time = 1; time <= 2; time++) {
        const one = attempt(state, failedAt + 300);
        expect(one.log).toEqual(tried);
        state = one.state;
        expect(state.fencingFailures['n3']?.count).toBe(time);
      }
    });

    it.each([-3_600, 3_600])('is tried anew after at most two intervals when the clock steps by %i s', (stepS) => {
      let state = failedTwice();
      const failedAt = Math.floor(Date.parse(state.fencingFailures['n3']?.at ?? '') / 1000);
      const logs: string[] = [];
      for (let passedS = 100; passedS <= 600; passedS += 100) {
        const one = attempt(state, failedAt + passedS + stepS);
        logs.push(one.log.join(' '));
        state = one.state;
      }
      expect(logs).toContain(tried.join(' '));
      if (stepS < 0) expect(logs.slice(0, 3).join(' ')).not.toContain(tried.join(' '));
    });
  });

  it('waits for its share of priority-fencing-delay, the first time', () => {
    const delayed = { ...FENCE_N3, delayMs: 15_000 };
    let state = withLostNode(fencingCluster(device('f')));
    const first = fencingStep(state, delayed);
    if (first.type !== 'request') throw new Error(first.type);
    expect(toFenceAction(state, { ...first.request, fencingId: 'x' }, { epoch: 'c' })?.startDelayMs).toBe(15_000);
    state = playFencing(state, [false], delayed).state;
    const second = fencingStep(state, delayed);
    expect(second.type === 'request' && second.request.delayMs).toBeUndefined();
  });

  it('on means unfencing: by the node itself, with every device that provides it', () => {
    const provides = (id: string): string =>
      device(id).replace(
        '</primitive>',
        `<meta_attributes id="${id}-m"><nvpair id="${id}-u" name="provides" value="unfencing"/></meta_attributes></primitive>`,
      );
    const unfencing: FencingOperation = { ...FENCE_N3, action: 'on', digests: { all: 'f:fence_test:1,', secure: 'f:fence_test:2,' } };
    const { log, state } = playFencing(planned(fencingCluster(device('e') + provides('f') + provides('g'))), [true, true], unfencing);
    expect(log).toEqual(['on by f on n3', 'on by g on n3', 'finished ok']);
    expect(state.nodes['n3']?.membership).toBe('joined');
    const member = state.nodes['n3'];
    expect(transientAttribute(member && nodeStateOf(state.cib, member), '#digests-all')).toBe('f:fence_test:1,');
    expect(transientAttribute(member && nodeStateOf(state.cib, member), '#node-unfenced')).toMatch(/^\d+$/);
  });

  it('is not asked for twice while an attempt is under way', () => {
    let state = withLostNode(fencingCluster(device('f')));
    const next = fencingStep(state, FENCE_N3);
    if (next.type !== 'request') throw new Error(next.type);
    state = execute(state, { type: 'request-fencing', request: { ...next.request, fencingId: 'x' } });
    expect(fencingStep(state, FENCE_N3).type).toBe('wait');
  });
});

describe('an outcome that an agent reports', () => {
  const request = {
    fencingId: 'f1',
    target: 'n3',
    action: 'reboot',
    device: 'f',
    executor: 'n2',
    attempt: 1,
    transition: 1,
    graphActionId: 9,
  } as const;
  const pending = (): ClusterState => execute(withLostNode(fencingCluster(device('f'))), { type: 'request-fencing', request });
  const reported = (node: string, incarnation = 1, target = 'n3', rc = 0): RecordResults => {
    const result: ReportedResult = {
      resultId: `${node}-${String(incarnation)}-${target}`,
      actionId: 'c:1:9',
      transitionKey: '9:1:0:c',
      resource: { id: 'f', historyId: 'f', class: 'stonith', type: 'fence_test' },
      operation: 'stonith',
      intervalMs: 0,
      status: 'done',
      rc,
      callId: 1,
      startedAt: 1,
      execMs: 1,
      queueMs: 0,
      recurring: false,
      fence: { fencingId: 'f1', target, action: 'reboot', deviceId: 'f' },
    };
    return { type: 'record-results', node, incarnation, results: [result] };
  };
  const fenced = (state: ClusterState, ...by: Parameters<typeof reported>): ClusterState => execute(state, reported(...by));

  it('is recorded with whether it was asked for', () => {
    const told = (state: ClusterState, ...by: Parameters<typeof reported>): boolean | undefined => {
      const decision = decide(reported(...by), state);
      const event = decision.ok ? decision.events.find(({ type }) => type === 'FencingCompleted') : undefined;
      if (event?.type !== 'FencingCompleted') throw new Error('nothing was recorded');
      return event.data.unasked;
    };
    expect(told(pending(), 'n2')).toBeUndefined();
    expect(told(pending(), 'n1')).toBe(true);
    expect(told(pending(), 'n2', 1, 'n1')).toBe(true);
  });

  it('counts from the node that was asked', () => {
    const state = fenced(pending(), 'n2');
    expect(state.nodes['n3']?.membership).toBe('down');
    expect(fencingStep(state, FENCE_N3)).toEqual({ type: 'finished', ok: true });
  });

  it.each([0, 1])('means nothing from another node (rc %d): the attempt stays open, and its true outcome counts', (rc) => {
    const state = fenced(pending(), 'n1', 1, 'n3', rc);
    expect(state.nodes['n3']?.membership).toBe('lost');
    expect(state.transition?.status).toBe('running');
    expect(fencingStep(state, FENCE_N3)).toMatchObject({ type: 'wait' });
    expect(fenced(state, 'n2').nodes['n3']?.membership).toBe('down');
  });

  it('means nothing from a later life of the node that was asked', () => {
    const again = execute(pending(), { type: 'join-node', node: 'n2', agentVersion: '1', leaseMs: 5000 });
    expect(fenced(again, 'n2', 2).nodes['n3']?.membership).toBe('lost');
    expect(fenced(again, 'n2', 1).nodes['n3']?.membership).toBe('down');
  });

  it('means nothing when it names another target than the one asked for', () => {
    const state = fenced(pending(), 'n2', 1, 'n1');
    expect(state.nodes['n1']?.membership).toBe('joined');
    expect(fencingStep(state, FENCE_N3)).toMatchObject({ type: 'wait' });
  });

  it('means nothing in an old event, either, when another node made it', () => {
    const { target, action, device: used } = request;
    const old = { fencingId: 'f1', target, action, device: used, executor: 'n1', outcome: 'succeeded', confirmed: true } as const;
    expect(append(pending(), { type: 'FencingCompleted', data: old }).nodes['n3']?.membership).toBe('lost');
    expect(append(pending(), { type: 'FencingCompleted', data: { ...old, executor: 'n2' } }).nodes['n3']?.membership).toBe('down');
  });
});
