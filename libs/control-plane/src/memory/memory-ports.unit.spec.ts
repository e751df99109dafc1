import { EpochKeepingLog } from '../epochs/epoch-keeping-log.js';
import { describePorts } from '../testing/port-suite.js';
import { MemoryDatabase, type CommitFate } from './index.js';

const PROCESS = {
  by: 'test',
  chance: { uuid: () => crypto.randomUUID(), fraction: () => Math.random() },
  report: { warn: () => undefined },
};

describePorts('in memory', () => {
  const after = (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    return () => {
      clearTimeout(timer);
    };
  };
  const database = new MemoryDatabase({ timeOfDay: () => Date.now() }, { after });
  const { leases, heartbeats, dispatches, graphs, claims, failures, seals, writes } = database;
  return Promise.resolve({
    open: () =>
      Promise.resolve({
        log: new EpochKeepingLog({ log: database.openLog(), ...PROCESS }),
        leases,
        heartbeats,
        dispatches,
        signals: dispatches,
        graphs,
        claims,
        failures,
        seals,
        writes,
      }),
    nextCommit: (fate: CommitFate) => {
      database.fateOfNextCommit = () => {
        database.fateOfNextCommit = () => 'answered';
        return fate;
      };
    },
    loseTail: (clusterId, lastVersion) => {
      database.loseTail(clusterId, lastVersion);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  });
});
