import { fold, initialState, type ClusterEvent } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { safetyNotes } from './safety-notes.js';

const began = (epoch: string, previous: string): ClusterEvent => ({
  type: 'EpochBegan',
  data: { epoch, previous, reason: 'told', witness: { epoch: `tale-${epoch}`, version: 99_999, hash: '00' }, by: 'n1' },
});

const joined: readonly ClusterEvent[] = [
  { type: 'ClusterCreated', data: { name: 'c', cib: '' } },
  { type: 'NodeJoined', data: { node: 'n1', nodeId: 'n1', incarnation: 1, leaseMs: 5000, agentVersion: '1', onLeaseLoss: 'stop' } },
];
const stateAfter = (events: readonly ClusterEvent[], actor = 'test') =>
  fold(
    initialState(),
    events.map((event, index) => ({
      version: index + 1,
      occurredAt: '2026-01-01T00:00:00.000Z',
      actor,
      correlationId: 'c',
      event,
    })),
  );

describe('a watchdog that the option asks for', () => {
  const asked = `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config>
    <cluster_property_set id="o"><nvpair id="o1" name="systole-on-lease-loss" value="watchdog"/></cluster_property_set>
    </crm_config><nodes/><resources/><constraints/></configuration><status/></cib>`;
  const created: ClusterEvent = { type: 'ClusterCreated', data: { name: 'c', cib: asked } };
  const codes = (...more: readonly ClusterEvent[]) =>
    safetyNotes(stateAfter([created, ...joined.slice(1), ...more]), [], () => 0, 0).map(({ code }) => code);

  it('is missed where the agent feeds none', () => {
    expect(codes()).toContain('no-watchdog');
    const told: ClusterEvent = { type: 'LeaseLossPolicyTold', data: { node: 'n1', incarnation: 1, policy: 'watchdog' } };
    expect(codes(told)).not.toContain('no-watchdog');
  });
});

describe('what an agent could not stop', () => {
  it('is named with what to do, until the agent says that it is over', () => {
    const told = (...troubles: readonly { code: string; detail: string }[]): ClusterEvent => ({
      type: 'NodeTroublesTold',
      data: { node: 'n1', incarnation: 1, troubles },
    });
    const notes = (...more: readonly ClusterEvent[]) =>
      safetyNotes(stateAfter([...joined, ...more]), [], () => 0, 0).filter(({ code }) => code.startsWith('agent-'));
    const failed = told({ code: 'stop-failed', detail: 'could not be stopped when everything had to be: db' });
    expect(notes(failed)).toEqual([
      { code: 'agent-stop-failed', text: expect.stringMatching(/: db\. .*systole resource refresh RESOURCE --node n1/) as string },
    ]);
    expect(notes(failed, told())).toEqual([]);
  });
});

describe('a node that was not heard of since the event log went back', () => {
  const told: ClusterEvent = began('e2', 'e1');
  const notes = (...events: readonly ClusterEvent[]) =>
    safetyNotes(stateAfter([...joined, ...events]), [], () => 0, 0).filter(({ code }) => code === 'node-unheard');
  const left: ClusterEvent = { type: 'NodeLeft', data: { node: 'n1', incarnation: 1, active: [] } };

  it.each([
    ['was joined', []],
    ['had left', [left]],
  ])('is named, with what is held for it and what to do, when it %s', (_, before) => {
    expect(notes(...before)).toEqual([]);
    const [note, ...more] = notes(...before, told);
    expect(more).toEqual([]);
    expect(note?.text).toContain('n1 was not heard of since');
    expect(note?.text).toContain('Nothing is started, promoted or migrated anywhere');
    expect(note?.text).toContain('systole node confirm-down n1');
    expect(note?.text.includes('can not be fenced')).toBe(before.length > 0);
    expect(notes(...before, told, { type: 'NodeConfirmedDown', data: { node: 'n1' } })).toEqual([]);
  });
});

describe('what may be of yesterday since the event log went back', () => {
  const cib = (resources: string, constraints = ''): ClusterEvent => ({
    type: 'ClusterCreated',
    data: {
      name: 'c',
      cib:
        '<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
        `<nodes><node id="n1" uname="n1"/></nodes><resources>${resources}</resources><constraints>${constraints}</constraints></configuration><status/></cib>`,
    },
  });
  const restored: ClusterEvent = { type: 'EpochBegan', data: { epoch: 'e2', previous: 'e1', reason: 'restored', by: 'a person' } };
  const textOf = (code: string, state: ReturnType<typeof stateAfter>): readonly string[] =>
    safetyNotes(state, [], () => 0, 0).flatMap((note) => (note.code === code ? [note.text] : []));

  it('a container that is not heard of is not to be confirmed down: its token may be lost, and it runs on', () => {
    const bundle =
      '<bundle id="b"><podman image="i" replicas="1"/><network control-port="3121"/><primitive id="db" class="ocf" provider="systole" type="Dummy"/></bundle>';
    const texts = textOf('node-unheard', stateAfter([cib(bundle), ...joined.slice(1), restored]));
    expect(texts).toHaveLength(2);
    const [text = ''] = texts.filter((each) => each.startsWith('b-0 '));
    expect(text).toContain('the token of its agent was made in what the log lost');
    expect(text).toContain('Stop the container by hand');
    expect(text).not.toContain('systole node confirm-down');
  });

  it('a ticket whose loss fences nodes, until somebody says what it is', () => {
    const fences = '<rsc_ticket id="t" rsc="db" ticket="siteA" loss-policy="fence"/>';
    const events = [cib('<primitive id="db" class="ocf" provider="systole" type="Dummy"/>', fences), ...joined.slice(1), restored];
    expect(textOf('ticket-untold', stateAfter(events))).toEqual([expect.stringContaining('systole ticket grant siteA') as string]);
    const told: ClusterEvent = { type: 'TicketChanged', data: { ticket: 'siteA', granted: false } };
    expect(textOf('ticket-untold', stateAfter([...events, told]))).toEqual([]);
  });

  it('a permanent attribute that an agent wrote, until it is written again', () => {
    const status: ClusterEvent = {
      type: 'NodeAttributeSet',
      data: { node: 'n1', name: 'db-data-status', value: `LATEST${'x'.repeat(100)}`, lifetime: 'forever' },
    };
    const events = [cib(''), ...joined.slice(1), status, restored];
    const fold = (last: readonly ClusterEvent[]) => stateAfter([...events, ...last], 'agent:n1');
    const [text, ...more] = textOf('attribute-untold', fold([]));
    expect(more).toEqual([]);
    expect(text).toContain('db-data-status of n1 (LATEST');
    expect(text).not.toContain('x'.repeat(60));
    expect(textOf('attribute-untold', fold([status]))).toEqual([]);
    expect(textOf('attribute-untold', stateAfter(events))).toEqual([]);
  });
});

describe('a node that tells again and again that the event log went back', () => {
  const events: readonly ClusterEvent[] = [
    { type: 'ClusterCreated', data: { name: 'c', cib: '' } },
    { type: 'NodeJoined', data: { node: 'n1', nodeId: 'n1', incarnation: 1, leaseMs: 5000, agentVersion: '1' } },
    began('e2', 'e1'),
    began('e3', 'e2'),
  ];
  const notesAfter = (count: number) =>
    safetyNotes(
      fold(
        initialState(),
        events.slice(0, count).map((event, index) => ({
          version: index + 1,
          occurredAt: '2026-01-01T00:00:00.000Z',
          actor: 'test',
          correlationId: 'c',
          event,
        })),
      ),
      [],
      () => 0,
      0,
    ).filter(({ code }) => code === 'epochs-told');

  it('is named from the second time on', () => {
    expect(notesAfter(3)).toEqual([]);
    expect(notesAfter(4)).toMatchObject([{ text: expect.stringContaining('n1 has told 2 times') as string }]);
  });
});

describe('what a node left running', () => {
  const resources =
    '<primitive id="db" class="ocf" provider="systole" type="Dummy"/><primitive id="ipmi" class="stonith" type="fence_x"/>' +
    '<clone id="c"><primitive id="app" class="ocf" provider="systole" type="Dummy"/></clone>' +
    '<clone id="p"><meta_attributes id="pm"><nvpair id="pp" name="promotable" value="true"/></meta_attributes>' +
    '<primitive id="pg" class="ocf" provider="systole" type="Dummy"/></clone>';
  const cib = `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes/><resources>${resources}</resources><constraints/></configuration><status/></cib>`;
  const texts = (...active: readonly string[]) =>
    safetyNotes(
      stateAfter([
        { type: 'ClusterCreated', data: { name: 'c', cib } },
        ...joined.slice(1),
        { type: 'NodeLeft', data: { node: 'n1', incarnation: 1, active } },
      ]),
      [],
      () => 0,
      0,
    ).flatMap(({ code, text }) => (code === 'left-running' ? [text] : []));
  const wayOut =
    'for it ran on n1, unmanaged or just migrated there, when that left or was lost: start the agent there, or stop it and confirm that the node is down.';

  it('is named as far as it is held back elsewhere: no fence device, and of an anonymous clone only its promotion', () => {
    expect(texts('db', 'ipmi', 'app')).toEqual([`db is not started elsewhere, ${wayOut}`]);
    expect(texts('ipmi', 'app')).toEqual([]);
    expect(texts('db', 'pg')).toEqual([`db is not started elsewhere, pg is not promoted elsewhere, ${wayOut}`]);
  });

  it('is said still when another boot has joined, with what to do then', () => {
    const join = (incarnation: number, bootId: string): ClusterEvent => ({
      type: 'NodeJoined',
      data: { node: 'n1', nodeId: 'n1', incarnation, leaseMs: 5000, agentVersion: '1', bootId },
    });
    const state = stateAfter([
      { type: 'ClusterCreated', data: { name: 'c', cib } },
      join(1, 'boot-1'),
      { type: 'NodeLeft', data: { node: 'n1', incarnation: 1, active: ['db'] } },
      join(2, 'boot-2'),
    ]);
    const [note] = safetyNotes(state, [], () => 0, 0).filter(({ code }) => code === 'left-running');
    expect(note?.text).toMatch(/^db is not started elsewhere.*another boot has joined since.*boot boot-1.*confirm-down/);
  });
});
