import type { PlantedFault } from '../fault.js';

const unit = (file: string) => ({ project: 'unit', file }) as const;
const PORTS = { project: 'integration', file: 'libs/control-plane-postgres/src/ports.int.spec.ts' } as const;
const DISPATCHES = 'libs/control-plane-postgres/src/dispatches/postgres-dispatches.ts';

/** The server's use cases and their tables: what is handed out, acknowledged, renewed. */
export const SERVER: readonly PlantedFault[] = [
  {
    id: 'one-cluster-stops-the-watch',
    what: 'a cluster that takes long to judge, or can not be read, keeps leases of all others from being judged',
    file: 'libs/control-plane/src/leases/lease-watch.ts',
    right: 'const CLUSTERS_AT_A_TIME = 4;',
    wrong: 'const CLUSTERS_AT_A_TIME = 1;',
    foundBy: { project: 'unit', file: 'libs/control-plane/src/leases/lease-watch.unit.spec.ts' },
  },
  {
    id: 'lighter-policy-with-a-join',
    what: 'a join whose answer is lost has the server wait less than what the agent follows asks for',
    file: 'libs/cluster/src/lease/lease-loss.ts',
    right: "  if (isLost) return 'keep';\n  if (before?.onLeaseLoss === undefined",
    wrong: "  if (isLost || told !== 'keep') return told;\n  if (before?.onLeaseLoss === undefined",
    foundBy: { project: 'unit', file: 'libs/cluster/src/lease/lease-loss.unit.spec.ts' },
  },
  {
    id: 'dispatch-without-version-guard',
    what: 'an action is handed out though the stream has moved on since the decision',
    file: DISPATCHES,
    right: 'WHERE (SELECT max(version) FROM events WHERE stream_id = $1) = $4\nON CONFLICT',
    wrong: 'WHERE (SELECT max(version) FROM events WHERE stream_id = $1) <> $4 - 1000000\nON CONFLICT',
    foundBy: PORTS,
  },
  {
    id: 'lost-rows-not-waited-for',
    what: 'the table of dispatches was emptied, and an aborted transition does not wait for what its agents are doing',
    file: 'libs/control-plane/src/turns/transition-drive.ts',
    right: 'if (answered.size === 0) return [];',
    wrong: 'if (answered.size >= 0) return [];',
    foundBy: { project: 'integration', file: 'apps/worker/src/worker.postgresql.int.spec.ts' },
  },
  {
    id: 'delivered-at-any-version',
    what: 'a poll is given actions of a transition that was aborted meanwhile',
    file: DISPATCHES,
    right: '      if (!(await holdStreamAt(client, clusterId, version))) return undefined;\n',
    wrong: '      await holdStreamAt(client, clusterId, version);\n',
    foundBy: PORTS,
  },
  {
    id: 'lost-answer-stands',
    what: 'what was in the answer to a lost poll counts as begun: the cluster waits for it, and fences the node',
    file: DISPATCHES,
    right: 'OR delivered_to = $5 AND delivered_seq < $6::bigint)',
    wrong: 'OR delivered_to = $5 AND delivered_seq < $6::bigint - 1000000)',
    foundBy: PORTS,
  },
  {
    id: 'anybody-completes-a-dispatch',
    what: "the result of one node takes another node's action off the list",
    file: DISPATCHES,
    right: 'WHERE cluster_id = $1 AND node = $2 AND action_id = ANY ($3) AND completed_at IS NULL\nRETURNING',
    wrong: 'WHERE cluster_id = $1 AND node <> $2 AND action_id = ANY ($3) AND completed_at IS NULL\nRETURNING',
    foundBy: PORTS,
  },
  {
    id: 'command-runs-twice',
    what: 'a command whose commit was not answered is carried out again',
    file: 'libs/control-plane/src/commands/cluster-commands.ts',
    right: 'if (earlier) return this.done(state, clusterId, earlier);',
    wrong: "if (earlier && clusterId === '') return this.done(state, clusterId, earlier);",
    foundBy: unit('libs/control-plane/src/memory/memory-ports.unit.spec.ts'),
  },
  {
    id: 'acknowledged-before-stored',
    what: 'a result is acknowledged before it is stored: a crash in between loses it for good',
    file: 'libs/control-plane/src/sessions/agent-sessions.ts',
    right:
      "const result = await this.withinBudget(agent, 'results', results, () => this.say(agent, 'results', correlationId, [command], asked));\n    return result.ok ? {",
    wrong:
      "const result = await Promise.race([this.withinBudget(agent, 'results', results, () => this.say(agent, 'results', correlationId, [command], asked)), DONE]);\n    return result.ok ? {",
    foundBy: unit('libs/control-plane/src/sessions/results.unit.spec.ts'),
  },
  {
    id: 'lease-counted-from-the-answer',
    what: 'a node believes to hold its lease for longer than the server does',
    file: 'libs/node-session/src/lease.ts',
    right: 'const renewed: HeldLease = { from: sentAt, lengthMs, acted: false };',
    wrong: 'const renewed: HeldLease = { from: turn.now, lengthMs, acted: false };',
    foundBy: unit('libs/node-session/src/scenarios.unit.spec.ts'),
  },
  {
    id: 'renewals-not-seen',
    what: 'a lease that is renewed counts from its first renewal: every node is lost after one lease',
    file: 'libs/control-plane/src/leases/lease-ages.ts',
    right: 'return known?.incarnation === lease.incarnation && known.renewal === lease.renewal ? known : undefined;',
    wrong: 'return known?.incarnation === lease.incarnation ? known : undefined;',
    foundBy: unit('libs/control-plane/src/leases/lease-watch.unit.spec.ts'),
  },
  {
    id: 'unserved-time-counts',
    what: 'an action runs out of time while no server is there to be told of its end: its node is shot when the servers are back',
    file: 'libs/control-plane/src/turns/action-times.ts',
    right: 'return Math.max(0, this.served.ms - firstSeen);',
    wrong: 'return Math.max(0, this.served.ms - firstSeen, this.monotonic() - firstSeen);',
    foundBy: unit('libs/control-plane/src/leases/served-time.unit.spec.ts'),
  },
  {
    id: 'fencing-of-before-an-absence',
    what: 'a node that was lost before all servers were away is fenced on their return, a moment before it joins',
    file: 'libs/cluster/src/lease/absence-hold.ts',
    right: 'return servedForMs === undefined || elapsed(',
    wrong: 'return servedForMs === undefined && elapsed(',
    foundBy: unit('libs/cluster/src/lease/absence-hold.unit.spec.ts'),
  },
  {
    id: 'waits-end-with-a-step',
    what: 'a worker that sees a loss only after the clock of the database stepped forwards waits for nothing',
    file: 'libs/control-plane/src/turns/planner.ts',
    right: 'planningHold(state, cluster.witnessed, now',
    wrong: 'planningHold(state, cluster.elapsed, now',
    foundBy: { project: 'unit', file: 'libs/control-plane/src/turns/planner.unit.spec.ts' },
  },
  {
    id: 'one-lease-holds-up-all',
    what: 'whoever holds the row of one lease keeps all renewals of an api waiting',
    file: 'libs/control-plane-postgres/src/leases/postgres-leases.ts',
    right: 'FOR UPDATE OF held SKIP LOCKED',
    wrong: 'FOR UPDATE OF held',
    foundBy: { project: 'integration', file: 'libs/control-plane-postgres/src/control-plane-postgres.int.spec.ts' },
  },
];
