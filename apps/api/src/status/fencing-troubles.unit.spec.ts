import { initialState, type ClusterState, type NodeMember } from '@systole/cluster';
import { parseXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { fencingTroubles } from './fencing-troubles.js';
import { isSettled } from './settled.js';

const NOW = 1_800_000_000_000;
const NOTHING = { workersSilentForMs: undefined, blindForMs: undefined, unwritable: undefined, lapsed: [], leaseWaits: [] };
const last = {
  fencingId: 'f',
  target: 'bravo',
  action: 'off',
  device: 'ipmi',
  executor: 'alpha',
  outcome: 'failed',
  detail: 'no route',
} as const;

function failing(count: number, given: Partial<ClusterState> = {}, options = ''): ClusterState {
  const cib = parseXml(
    `<cib><configuration><crm_config><cluster_property_set id="o">${options}</cluster_property_set></crm_config></configuration><status/></cib>`,
  );
  return { ...initialState(), cib, fencingFailures: { bravo: { count, at: new Date(NOW).toISOString(), last } }, ...given };
}

function member(membership: NodeMember['membership']): Pick<ClusterState, 'nodes'> {
  const bravo = { id: '2', name: 'bravo', membership, incarnation: 1, leaseMs: 10_000, agentVersion: '1', shutdownRequested: false };
  return { nodes: { bravo: { ...bravo, since: new Date(NOW).toISOString() } } };
}

const text = (state: ClusterState): string | undefined => fencingTroubles(state, NOW)[0]?.text;

describe('a node that is fenced again and again', () => {
  const fenced = (...agoMs: readonly number[]): ClusterState => {
    const cib = parseXml('<cib><configuration><nodes><node id="2" uname="bravo"/></nodes></configuration><status/></cib>');
    return { ...initialState(), cib, fencings: { bravo: agoMs.map((ms) => new Date(NOW - ms).toISOString()) } };
  };

  it('is named from the third time on within ten minutes', () => {
    expect(fencingTroubles(fenced(60_000, 0), NOW)).toEqual([]);
    expect(fencingTroubles(fenced(120_000, 60_000, 0), NOW)).toEqual([
      { code: 'fenced-repeatedly', level: 'bad', text: expect.stringContaining('bravo was fenced 3 times within ten minutes') as string },
    ]);
    expect(fencingTroubles(fenced(600_001, 60_000, 0), NOW)).toEqual([]);
  });
});

describe('fencing that fails', () => {
  it('is told with its reason, where it failed, the next try and the way out', () => {
    expect(fencingTroubles(failing(2, member('lost')), NOW)).toEqual([
      {
        code: 'fencing-failed',
        level: 'bad',
        text: 'fencing of bravo failed 2 times: no route (ipmi, by alpha); tried again after a pause of 4 s: repair the device and clean it up, or make sure that bravo is off and run: systole node confirm-down bravo',
      },
    ]);
  });

  it('is told to be given up when fencing-max-attempts is reached, and for how long', () => {
    const option = '<nvpair id="m" name="fencing-max-attempts" value="3"/><nvpair id="r" name="cluster-recheck-interval" value="5min"/>';
    expect(text(failing(2, {}, option))).toContain('; tried again after a pause of 4 s:');
    expect(text(failing(3, {}, option))).toContain('; given up for 300 s (cluster-recheck-interval), for fencing-max-attempts is reached:');
    expect(text(failing(3, {}, option.replace('5min', '0')))).toContain('; given up, for fencing-max-attempts is reached:');
  });

  it('is told while it is tried again, without the way that is closed as long as the node holds its lease', () => {
    const pending = { fencingId: 'g', target: 'bravo', action: 'off', device: 'ipmi', executor: 'alpha', attempt: 1 } as const;
    const attempt = { ...pending, transition: 3, graphActionId: 1, targetIncarnation: 1, executorIncarnation: 1 };
    const shown = text(failing(1, { ...member('joined'), fencing: { g: attempt } }));
    expect(shown).toBe(
      'fencing of bravo failed 1 time: no route (ipmi, by alpha); it is being tried again: repair the device and clean it up',
    );
  });

  it('is nothing any more when the node is down or has left', () => {
    expect(fencingTroubles(failing(2, member('down')), NOW)).toEqual([]);
    expect(fencingTroubles(failing(2, member('left')), NOW)).toEqual([]);
  });
});

describe('fencing that a person asked for', () => {
  const DEVICE = '<primitive id="ipmi" class="stonith" type="fence_x"/>';
  const quorate = { quorate: true, votes: 2, expectedVotes: 2, everQuorate: true };
  interface Setup {
    readonly resources?: string;
    readonly options?: string;
    readonly membership?: NodeMember['membership'];
  }
  function asked(given: Partial<ClusterState> = {}, { resources = DEVICE, options = '', membership = 'lost' }: Setup = {}): ClusterState {
    const cib = parseXml(
      `<cib><configuration><crm_config><cluster_property_set id="o">${options}</cluster_property_set></crm_config><nodes><node id="1" uname="alpha"/>
      <node id="2" uname="bravo"><instance_attributes id="i"><nvpair id="t" name="terminate" value="true"/></instance_attributes></node></nodes>
      <resources>${resources}</resources></configuration><status/></cib>`,
    );
    const { nodes } = member(membership);
    const { nodes: others } = member('joined');
    const { bravo } = others;
    const alpha = bravo === undefined ? {} : { alpha: { ...bravo, id: '1', name: 'alpha' } };
    return { ...initialState(), existence: 'active', quorum: quorate, cib, nodes: { ...nodes, ...alpha }, ...given };
  }
  const noQuorum = { quorum: { ...quorate, quorate: false, votes: 1 } };
  const blocked = (reason: string) => [
    { code: 'fencing-blocked', level: 'bad', text: `fencing of bravo was asked for and can't be carried out: ${reason}` },
  ];

  it('is a trouble where it can not be carried out, with the reason', () => {
    expect(fencingTroubles(asked(noQuorum), NOW)).toEqual(blocked('no quorum'));
    expect(fencingTroubles(asked({}, { resources: '' }), NOW)).toEqual(
      blocked('no fence device can fence bravo: add one, or confirm that the node is down'),
    );
    expect(fencingTroubles(asked({ nodes: member('lost').nodes }), NOW)).toEqual(blocked('no node is online to run fence device ipmi'));
    const off = { options: '<nvpair id="s" name="stonith-enabled" value="false"/>' };
    expect(fencingTroubles(asked({}, off), NOW)).toEqual(blocked('fencing is switched off'));
    expect(fencingTroubles(asked(), NOW)).toEqual(blocked('the scheduler plans none'));
  });

  it('is none as long as it may still be planned, or where quorum matters not', () => {
    const recompute = { recompute: { reason: 'r', version: 1, at: '', cause: { correlationId: 'c', asked: false } } };
    expect(fencingTroubles(asked(recompute), NOW)).toEqual([]);
    expect(fencingTroubles(asked({ ...noQuorum, ...recompute }, { membership: 'joined' }), NOW)).toEqual([]);
    const ignore = { options: '<nvpair id="q" name="no-quorum-policy" value="ignore"/>' };
    expect(fencingTroubles(asked({ ...noQuorum, ...recompute }, ignore), NOW)).toEqual([]);
  });

  it('keeps the cluster from being settled until the node is down', () => {
    expect(isSettled(asked(), NOTHING, NOW)).toBe(false);
    expect(isSettled(asked({}, { membership: 'down' }), NOTHING, NOW)).toBe(true);
    expect(fencingTroubles(asked(noQuorum, { membership: 'down' }), NOW)).toEqual([]);
  });
});
