import { untoldTickets, type ClusterCommand } from '@systole/cluster';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import { EpochKeepingLog } from './epoch-keeping-log.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>' +
  '<resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources>' +
  '<constraints><rsc_ticket id="t" rsc="db" ticket="siteA"/></constraints></configuration><status/></cib>';
const clock: Clock = { timeOfDay: () => 1_800_000_000_000, monotonic: () => 0, after: () => () => undefined };
const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
const report = { warn: () => undefined };
const ticket = (granted: boolean): ClusterCommand => ({ type: 'change-ticket', ticket: 'siteA', granted });

describe('a server that runs on while the log goes back under it', () => {
  let database: MemoryDatabase;
  const openServer = () => {
    const log = new EpochKeepingLog({ log: database.openLog(), chance, report, by: 'api' });
    const commands = new ClusterCommands({ log, clock, chance });
    const execute = async (command: ClusterCommand): Promise<void> => {
      const result = await commands.execute(CLUSTER, command, { actor: 't', correlationId: 't' });
      if (!result.ok) throw new Error(result.rejection.message);
    };
    return { log, execute };
  };
  let server: ReturnType<typeof openServer>;
  const epochs = () => database.eventsOf(CLUSTER).filter(({ event }) => event.type === 'EpochBegan');

  beforeEach(async () => {
    database = new MemoryDatabase(clock);
    server = openServer();
    await server.execute({ type: 'create-cluster', name: 'c', cib: CIB });
    await server.execute(ticket(true));
  });

  it('has proof by what it had read itself: the tickets of the copy are asked for', async () => {
    const kept = database.eventsOf(CLUSTER).length;
    await server.execute(ticket(false));
    await server.log.load(CLUSTER);
    database.loseTail(CLUSTER, kept);
    expect(untoldTickets(await server.log.load(CLUSTER))).toEqual(['siteA']);
    expect(epochs()).toMatchObject([{ event: { data: { by: 'api', proven: true } } }]);
  });

  it('has proof also where an epoch began meanwhile by the mere word of a node', async () => {
    const kept = database.eventsOf(CLUSTER).length;
    await server.execute(ticket(false));
    const { version, hash } = (await server.log.loadHead(CLUSTER)).head;
    database.loseTail(CLUSTER, kept);
    const word = { epoch: CLUSTER, version, hash };
    await openServer().execute({
      ...{ type: 'begin-epoch', clusterId: CLUSTER, epoch: crypto.randomUUID(), reason: 'n1 says so', witness: word, by: 'n1' },
    });
    expect(untoldTickets(await openServer().log.load(CLUSTER))).toEqual([]);
    expect(untoldTickets(await server.log.load(CLUSTER))).toEqual(['siteA']);
    expect(epochs()).toHaveLength(2);
    await server.log.load(CLUSTER);
    expect(epochs()).toHaveLength(2);
  });

  it('knows what it stored, though nobody has read it since', async () => {
    const kept = database.eventsOf(CLUSTER).length;
    await server.execute(ticket(false));
    database.loseTail(CLUSTER, kept);
    expect(untoldTickets(await server.log.load(CLUSTER))).toEqual(['siteA']);
    expect(epochs()).toHaveLength(1);
  });
});
