import type { StoredDispatch } from '@systole/control-plane/memory';
import { describe, expect, it } from 'vitest';
import type { Target } from './faults.js';
import { BrokenRun, simulate, type Plot } from './simulation.js';

const SEEDS = [1, 2];
/** `db` prefers it. */
const NODE = 'n1';

/** Plays it with each seed; a broken rule fails the test with the run's timeline. */
async function play(plot: Plot): Promise<void> {
  for (const seed of SEEDS) {
    const { recoveredMs } = await simulate(seed, () => undefined, plot).catch((error: unknown) => {
      if (!(error instanceof BrokenRun)) throw error;
      throw new Error(`${error.message}\n${error.timeline.slice(-60).join('\n')}`);
    });
    expect(recoveredMs).toBeGreaterThan(0);
  }
}

/** Nobody hears of the node, and it hears of nobody. */
const cutOff =
  (ms: number) =>
  ({ network, world }: Target): void => {
    expect(world.machine(NODE).active.has('db')).toBe(true);
    network.cut(NODE, ms);
    world.machine(NODE).disturbed(ms);
  };
const inMaintenance =
  (what: string | undefined) =>
  ({ maintain }: Target): void => {
    maintain(what);
  };
const nodeInMaintenance =
  (value: string) =>
  ({ operate }: Target): void => {
    operate({ type: 'set-node-attribute', node: NODE, name: 'maintenance', value, lifetime: 'forever' });
  };
/** What is said at the end of a plot: the node ran on with it, and nobody else began. */
const runsOn = ({ world }: Target): void => {
  const on = [...world.machines.values()].filter(({ active }) => active.has('db')).map(({ name }) => name);
  expect(on).toEqual([NODE]);
};

describe('a node that is cut off in maintenance, without fencing', () => {
  const begin = { atMs: 25_000, play: inMaintenance('cluster') };
  const cut = { atMs: 30_000, play: cutOff(80_000) };
  const end = { atMs: 105_000, play: runsOn };
  const plot = (...scenes: Plot['scenes']): Plot => ({ protection: 'agent', endsMs: 106_000, scenes: [...scenes, end] });

  it.each([
    ['before its lease is over', 31_000],
    ['while its margin runs', 40_000],
    ['when it counts as down', 80_000],
  ])('keeps what it runs to itself when the maintenance ends %s', { timeout: 60_000 }, async (_, atMs) => {
    await play(plot(begin, cut, { atMs, play: inMaintenance(undefined) }));
  });

  it('keeps it when only the resource was not managed', { timeout: 60_000 }, async () => {
    await play(plot({ ...begin, play: inMaintenance('db') }, cut, { atMs: 80_000, play: inMaintenance(undefined) }));
  });

  it('keeps it when only the node was in maintenance', { timeout: 60_000 }, async () => {
    await play(plot({ ...begin, play: nodeInMaintenance('true') }, cut, { atMs: 80_000, play: nodeInMaintenance('false') }));
  });
});

describe('rows of what was handed out that were lost, and written again', () => {
  it('are not taken back by a poll of before that a frozen api carries out late', { timeout: 60_000 }, async () => {
    await play({
      protection: 'fencing',
      endsMs: 45_000,
      scenes: [
        // It holds a poll of each node, most likely.
        { atMs: 1_700, play: ({ servers }) => servers().get('api-0')?.freeze(60_000) },
        {
          atMs: 2_000,
          play: ({ time, world, ground, operate, servers }) => {
            const whenBegun = (): void => {
              const machine = world.machine(NODE);
              if (!machine.active.has('db')) {
                time.after(10, whenBegun);
                return;
              }
              machine.hardware.freeze(12_000);
              machine.disturbed(20_000);
              ground.database.tables.dispatches.clear();
              // What is asked of an api that is frozen is lost.
              for (let times = 0; times < 4; times += 1) operate({ type: 'set-standby', node: NODE, standby: true });
              time.after(1_500, () => servers().get('api-0')?.thaw());
            };
            whenBegun();
          },
        },
      ],
    });
  });
});

describe('the copy of a machine', () => {
  it(
    'that is switched on after the node left in maintenance does not end the hold of what runs on there',
    { timeout: 60_000 },
    async () => {
      await play({
        protection: 'fencing',
        endsMs: 110_000,
        scenes: [
          { atMs: 25_000, play: inMaintenance('db') },
          {
            atMs: 33_000,
            play: ({ services, world }) => {
              expect(world.machine(NODE).active.has('db')).toBe(true);
              services.get(NODE)?.leave(200_000);
            },
          },
          {
            atMs: 60_000,
            play: ({ cloneMachine }) => {
              cloneMachine(NODE);
            },
          },
          { atMs: 85_000, play: inMaintenance(undefined) },
          { atMs: 109_000, play: runsOn },
        ],
      });
    },
  );

  it(
    'is not let in for a node that is cut off and was told to keep what it runs, as long as that is not fenced',
    { timeout: 60_000 },
    async () => {
      await play({
        protection: 'fencing',
        programFaults: { fenceFails: 1 },
        endsMs: 95_000,
        scenes: [
          { atMs: 25_000, play: cutOff(80_000) },
          {
            atMs: 27_000,
            play: ({ cloneMachine }) => {
              cloneMachine(NODE);
            },
          },
          { atMs: 94_000, play: runsOn },
        ],
      });
    },
  );

  it('is not let in when the first one, which lived on, is lost later', { timeout: 60_000 }, async () => {
    await play({
      protection: 'fencing',
      programFaults: { fenceFails: 1 },
      endsMs: 125_000,
      scenes: [
        {
          atMs: 20_000,
          play: ({ cloneMachine }) => {
            cloneMachine(NODE);
          },
        },
        { atMs: 75_000, play: cutOff(60_000) },
        { atMs: 124_000, play: runsOn },
      ],
    });
  });

  it(
    'gets a vote, and nothing is started beside the first one, where the one that is left has no quorum to fence that',
    { timeout: 60_000 },
    async () => {
      await play({
        protection: 'fencing',
        programFaults: { fenceFails: 1 },
        endsMs: 95_000,
        scenes: [
          { atMs: 25_000, play: cutOff(80_000) },
          {
            atMs: 25_000,
            play: ({ world }) => {
              world.machine('n2').reboot(120_000);
            },
          },
          {
            atMs: 33_000,
            play: ({ operate }) => {
              operate({ type: 'confirm-node-down', node: 'n2' });
            },
          },
          {
            atMs: 34_000,
            play: ({ cloneMachine }) => {
              cloneMachine(NODE);
            },
          },
          { atMs: 94_000, play: runsOn },
        ],
      });
    },
  );
});

/** The database is put back to a copy from before, and all servers are started anew, as a restore needs it. */
const restored = ({ servers, startServers, time, copies, restore }: Target): void => {
  for (const process of servers().values()) process.kill();
  const copy = copies().at(-3);
  if (copy !== undefined) restore(copy);
  time.after(2_000, startServers);
};
const cloned = ({ cloneMachine }: Target): void => {
  cloneMachine(NODE);
};
/** Something that the copy of the database lacks. */
const recorded = ({ operate }: Target): void => {
  operate({ type: 'set-node-attribute', node: 'n3', name: 'x', value: 'y', lifetime: 'forever' });
};

describe('a machine that was copied, after the log went back', () => {
  const plot = (endsMs: number, ...scenes: Plot['scenes']): Plot => ({
    protection: 'fencing',
    programFaults: { fenceFails: 1 },
    endsMs,
    scenes,
  });

  it('does nothing beside the first one, which is a little later, when they were known as two', { timeout: 60_000 }, async () => {
    const late = (target: Target): void => {
      cutOff(9_000)(target);
      restored(target);
    };
    await play(plot(130_000, { atMs: 20_000, play: cloned }, { atMs: 84_000, play: recorded }, { atMs: 85_000, play: late }));
  });

  it('does nothing beside the first one, which is cut off, while others are given time to join', { timeout: 60_000 }, async () => {
    await play(
      plot(
        110_000,
        { atMs: 25_000, play: cutOff(80_000) },
        { atMs: 27_000, play: cloned },
        { atMs: 60_000, play: restored },
        { atMs: 104_000, play: runsOn },
      ),
    );
  });

  it('is not given what the first one left running when it left', { timeout: 60_000 }, async () => {
    await play(
      plot(
        145_000,
        // Up since before the node leaves, so that it is not taken for the machine that was restarted.
        { atMs: 20_000, play: cloned },
        { atMs: 64_000, play: inMaintenance('db') },
        { atMs: 72_000, play: ({ services }) => services.get(NODE)?.leave(200_000) },
        { atMs: 88_000, play: recorded },
        { atMs: 89_000, play: restored },
        { atMs: 115_000, play: inMaintenance(undefined) },
        { atMs: 143_000, play: runsOn },
      ),
    );
  });
});

/** Calls back as soon as this is so. */
function onceSo(target: Target, isSo: () => boolean, then: () => void): void {
  if (isSo()) then();
  else
    target.time.after(1, () => {
      onceSo(target, isSo, then);
    });
}

describe('a node that began what the database lacks after a restore', () => {
  const isStart = ({ node, action }: StoredDispatch): boolean =>
    node === 'n3' && action.kind === 'operation' && action.operation === 'start' && action.resource.id === 'db';
  const startIn = ({ ground }: Target): StoredDispatch | undefined => [...ground.database.tables.dispatches.values()].find(isStart);
  const isHandedOut = (target: Target): boolean => startIn(target) !== undefined;
  const isDelivered = (target: Target): boolean => startIn(target)?.delivered !== undefined;
  const runsThere = ({ world }: Target): boolean => world.machine('n3').active.has('db');
  const isStored = ({ ground }: Target): boolean =>
    ground.database
      .eventsOf('c')
      .some(
        ({ event: { type, data } }) =>
          type === 'OperationRecorded' && data.node === 'n3' && data.resource === 'db' && data.operation === 'start',
      );
  /** Acknowledged results are those that the agent would send no more. */
  const isAcknowledged = ({ services }: Target): boolean => services.get('n3')?.owes === 0;

  /** The copy is of before the first of these is so; the servers are killed once the last is. */
  const goesBack =
    (
      isOver: (target: Target) => boolean,
      isTime: (target: Target) => boolean,
      lateMs: number,
      calledOffMs: number,
      struck: () => void,
      meanwhile: (target: Target, passOn: () => void) => void = () => undefined,
    ) =>
    (target: Target): void => {
      const { operate, ground, world, network, servers, restore, startServers, time } = target;
      let copy = ground.database.copy();
      let passOn = network.keepCopy('n3');
      const goBack = (): void => {
        struck();
        for (const process of servers().values()) process.kill();
        if (lateMs > 0) network.cut('n3', lateMs);
        world.machine('n3').disturbed(lateMs + 2_000);
        restore(copy);
        time.after(200, startServers);
        meanwhile(target, passOn);
        time.after(200 + calledOffMs, () => {
          operate({ type: 'set-standby', node: 'n3', standby: true });
        });
      };
      operate({ type: 'set-standby', node: NODE, standby: true });
      const stillBefore = (): boolean => {
        if (isOver(target)) return true;
        copy = ground.database.copy();
        passOn = network.keepCopy('n3');
        return false;
      };
      onceSo(target, stillBefore, () => {
        onceSo(target, () => isTime(target), goBack);
      });
    };
  const played = async (scene: (struck: () => void) => (target: Target) => void): Promise<void> => {
    let times = 0;
    const play25 = scene(() => {
      times += 1;
    });
    await play({ protection: 'fencing', endsMs: 60_000, scenes: [{ atMs: 25_000, play: play25 }] });
    expect(times).toBe(SEEDS.length);
  };

  it.each([400, 1_000, 2_500])(
    'and is heard of late keeps it to itself, though a person calls off the transition %i ms after the servers have begun',
    { timeout: 60_000 },
    async (calledOffMs) => {
      await played((struck) => goesBack(isDelivered, runsThere, 4_000, calledOffMs, struck));
    },
  );

  it(
    'and whose poll of before arrives late keeps it to itself: that renews its lease, and tells of nothing',
    { timeout: 60_000 },
    async () => {
      await played((struck) =>
        goesBack(isHandedOut, runsThere, 6_000, 100, struck, ({ time }, passOn) => {
          for (let ms = 400; ms <= 4_000; ms += 300) time.after(ms, passOn);
        }),
      );
    },
  );

  it('and whose first poll nobody can hold against what it was given keeps it to itself', { timeout: 60_000 }, async () => {
    await played((struck) =>
      goesBack(isHandedOut, runsThere, 0, 100, struck, ({ ground, network, time }) => {
        network.loseResults('n3', 6_000);
        const { dispatches } = ground.database;
        const given = dispatches.delivered.bind(dispatches);
        dispatches.delivered = () => new Promise(() => undefined);
        time.after(6_000, () => {
          dispatches.delivered = given;
        });
      }),
    );
  });

  it.each([
    ['delivered', isDelivered],
    ['stored', isStored],
  ])(
    'keeps it to itself though its result was acknowledged, when the database is of before that was %s',
    { timeout: 60_000 },
    async (_, isOver) => {
      await played((struck) => goesBack(isOver, (target) => isStored(target) && isAcknowledged(target), 1_500, 300, struck));
    },
  );
});

/** Kills all apis, for a while, as soon as such an action of an agent is delivered and not done. The workers stay. */
const apisAwayDuring =
  (isAction: (row: StoredDispatch) => boolean, awayMs: number, meanwhile: (target: Target) => void = () => undefined) =>
  (target: Target): void => {
    const { time, ground, servers, startServers } = target;
    const look = (): void => {
      const rows = [...ground.database.tables.dispatches.values()];
      if (!rows.some((row) => isAction(row) && row.delivered !== undefined && !row.completed)) {
        time.after(1, look);
        return;
      }
      for (const [name, server] of servers()) if (name.startsWith('api')) server.kill();
      meanwhile(target);
      time.after(awayMs, startServers);
    };
    look();
  };
const fencedOnce = ({ ground }: Target): void => {
  const types = ground.database.eventsOf('c').map(({ event }) => event.type);
  expect(types.filter((type) => type === 'FencingRequested')).toHaveLength(1);
};

describe('apis that have hardly a connection to the database left, while the workers have theirs', () => {
  it('do not count as there: no node is lost for it, and none is shot', { timeout: 60_000 }, async () => {
    await play({
      protection: 'fencing',
      endsMs: 80_000,
      scenes: [
        {
          atMs: 25_000,
          play: ({ servers }) => {
            for (const [name, server] of servers()) if (name.startsWith('api')) server.refuse(20_000);
          },
        },
        {
          atMs: 79_000,
          play: ({ ground }) => {
            const types = ground.database.eventsOf('c').map(({ event }) => event.type);
            for (const type of ['NodeLeaseLost', 'FencingRequested'] as const) expect(types).not.toContain(type);
          },
        },
      ],
    });
  });
});

describe('an absence of all apis, while the workers stay', () => {
  it('lets no stop time out that is under way: its node is not shot for it', { timeout: 60_000 }, async () => {
    const isStop = ({ node, action }: StoredDispatch): boolean =>
      node === NODE && action.kind === 'operation' && action.operation === 'stop';
    await play({
      protection: 'fencing',
      endsMs: 150_000,
      scenes: [
        {
          atMs: 25_000,
          play: ({ operate }) => {
            operate({ type: 'set-standby', node: NODE, standby: true });
          },
        },
        { atMs: 25_001, play: apisAwayDuring(isStop, 90_000) },
      ],
    });
  });

  it.each([
    ['the attempt takes', 90_000],
    ['its target needs to come back', 20_000],
  ])('longer than %s has no node fenced twice', { timeout: 60_000 }, async (_, awayMs) => {
    await play({
      protection: 'fencing',
      endsMs: 60_000 + awayMs,
      scenes: [
        { atMs: 25_000, play: cutOff(20_000) },
        { atMs: 25_001, play: apisAwayDuring(({ action }) => action.kind === 'fence', awayMs) },
        { atMs: 59_000 + awayMs, play: fencedOnce },
      ],
    });
  });

  it('in which nobody has begun to fence a node leaves it alone when it is back', { timeout: 60_000 }, async () => {
    await play({
      protection: 'fencing',
      endsMs: 80_000,
      scenes: [
        { atMs: 25_000, play: cutOff(20_000) },
        {
          atMs: 25_001,
          play: apisAwayDuring(
            ({ action }) => action.kind === 'fence',
            20_000,
            ({ network, nodes }) => {
              for (const node of nodes) if (node !== NODE) network.cut(node, 2_000, ['answer']);
            },
          ),
        },
        {
          atMs: 79_000,
          play: ({ world }) => {
            expect(world.machine(NODE).bootId).toBe(`${NODE}-boot-1`);
          },
        },
      ],
    });
  });
});
