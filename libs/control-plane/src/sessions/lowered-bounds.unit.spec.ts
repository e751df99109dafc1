import type { ClusterEvent } from '@systole/cluster';
import { PROTOCOL } from '@systole/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/index.js';
import { AgentSessions } from './agent-sessions.js';

const CLUSTER = 'c';
const CIB =
  '<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config><cluster_property_set id="o"><nvpair id="f" name="fencing-enabled" value="false"/>' +
  '</cluster_property_set></crm_config><nodes/><resources/><constraints/></configuration></cib>';
const agent = { clusterId: CLUSTER, node: 'n1', actor: 'agent:n1', tokenId: 't' };

describe('an agent that says each time that it follows another policy', () => {
  let now: number;
  let database: MemoryDatabase;
  let sessions: AgentSessions;
  let incarnation: number;

  beforeEach(async () => {
    now = 0;
    const clock = {
      monotonic: () => now,
      timeOfDay: () => 1_700_000_000_000 + now,
      after: () => () => undefined,
      now: () => Promise.resolve(0),
    };
    const chance = { uuid: () => 'u', fraction: () => 0.5 };
    database = new MemoryDatabase(clock);
    const log = database.openLog();
    const commands = new ClusterCommands({ log, clock, chance });
    const { leases, dispatches, seals } = database;
    sessions = new AgentSessions({
      log,
      commands,
      leases,
      dispatches,
      signals: dispatches,
      writes: database.writes,
      clock,
      chance,
      seals,
      report: { warn: () => undefined },
      settings: { leaseMs: 60_000, pollMs: 0 },
      requestAdvance: () => undefined,
    });
    await commands.execute(CLUSTER, { type: 'create-cluster', name: 'c', cib: CIB }, { actor: 'test', correlationId: 'c' });
    const joined = await sessions.join(agent, { agentVersion: '1', bootId: 'b', protocol: PROTOCOL }, 'test');
    if (!joined.ok) throw new Error('not let in');
    incarnation = joined.answer.incarnation;
  });

  it('does not fill the log: what makes the server wait longer is recorded at once, the way back seldom', async () => {
    let seq = 0;
    let head: { readonly epoch: string; readonly version: number; readonly hash: string } | undefined;
    for (let poll = 0; poll < 200; poll++) {
      now += 50;
      seq += 1;
      const onLeaseLoss = poll % 2 === 0 ? 'keep' : 'stop';
      const answer = await sessions.poll(
        agent,
        {
          incarnation,
          seq,
          known: [],
          active: [],
          watchdog: false,
          waitMs: 0,
          onLeaseLoss,
          ...(head === undefined ? {} : { witness: head }),
        },
        [],
        'test',
      );
      if (answer.ok) ({ head } = answer.answer);
    }
    const told = database
      .eventsOf(CLUSTER)
      .flatMap(({ event }: { readonly event: ClusterEvent }) => (event.type === 'LeaseLossPolicyTold' ? [event.data.policy] : []));
    expect(told).toContain('keep');
    expect(told.length).toBeLessThan(5);
  });
});
