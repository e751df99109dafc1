import type { PlantedFault } from '../fault.js';

const SCENARIOS = { project: 'unit', file: 'libs/node-session/src/scenarios.unit.spec.ts' } as const;
const SIMULATION = { project: 'unit', file: 'test/simulation/simulation.spec.ts' } as const;
const PROPERTIES = { project: 'unit', file: 'libs/node-session/src/session.unit.spec.ts' } as const;

/** The node's session: what is begun, what is told, and what a lost lease means. */
export const SESSION: readonly PlantedFault[] = [
  {
    id: 'action-begun-twice',
    what: 'an action that is delivered again after it was executed is executed again',
    file: 'libs/node-session/src/work/accept.ts',
    right: 'return work.accepted.has(actionId) || journal.ahead.inFlight.has(actionId) || journal.ahead.executed.has(actionId);',
    wrong: 'return work.accepted.has(actionId) || journal.ahead.inFlight.has(actionId);',
    foundBy: PROPERTIES,
  },
  {
    id: 'stopped-while-promoted',
    what: 'the agent stops by itself what may be promoted without demoting it first',
    file: 'libs/node-session/src/stopping.ts',
    right: 'return active.mayBePromoted === true ? beginDemote(turn, active) : beginStop(turn, active, false);',
    wrong: 'return beginStop(turn, active, false);',
    foundBy: SCENARIOS,
  },
  {
    id: 'stopped-as-configured',
    what: 'a resource is stopped with what its configuration says by now, not with what it was started with',
    file: 'libs/node-session/src/work/running.ts',
    right: "operation === 'stop' ? journal.ahead.active.get(action.resource.historyId) : undefined;",
    wrong: 'undefined;',
    foundBy: SCENARIOS,
  },
  {
    id: 'begun-after-the-lease',
    what: 'a node that slept through its lease begins what it was handed out before',
    file: 'libs/node-session/src/work/running.ts',
    right: '  if (withdrawn) {',
    wrong: '  if (withdrawn && turn.now < 0) {',
    foundBy: PROPERTIES,
  },
  {
    id: 'lost-action-untold',
    what: 'what was under way when the agent died has no outcome',
    file: 'libs/node-session/src/start.ts',
    right: '    ...lost,\n',
    wrong: '',
    foundBy: PROPERTIES,
  },
  {
    id: 'begun-before-the-journal',
    what: 'a program is started before the journal that remembers it is on the disk',
    file: 'libs/node-session/src/work/running.ts',
    right: '  if (repeated) execute(turn, run, task);\n  else\n    append(',
    wrong:
      "  if (!repeated) setRun(turn, run, { lane, task, stage: 'running', withdrawn: false, queueMs });\n  execute(turn, run, task);\n  if (turn.now < 0)\n    append(",
    foundBy: SIMULATION,
  },
  {
    id: 'results-under-a-new-name',
    what: 'a result of an earlier life is reported in the name of the present one, and taken for a current one',
    file: 'libs/node-session/src/session/outbox.ts',
    right: 'body: { incarnation, results } }, REQUEST_TIMEOUT_MS);',
    wrong:
      "body: { incarnation: turn.state.phase.kind === 'member' ? turn.state.phase.joined.incarnation : incarnation, results } }, REQUEST_TIMEOUT_MS);",
    foundBy: SIMULATION,
  },
  {
    id: 'no-witness',
    what: 'agents do not show what they were told of the log: nobody notices that it lost its tail',
    file: 'libs/node-session/src/session/head.ts',
    right: '  if (head === undefined) return;\n',
    wrong: '  if (head === undefined || turn.now >= 0) return;\n',
    foundBy: SIMULATION,
  },
  {
    id: 'leaves-with-resources',
    what: 'an agent leaves at the word of a server that does not know what runs there, and it is started elsewhere a second time',
    file: 'libs/node-session/src/session/member.ts',
    right: '  if (running.length === 0) {',
    wrong: '  if (running.length >= 0) {',
    foundBy: SCENARIOS,
  },
  {
    id: 'policy-forgotten',
    what: 'an agent that restarts while the servers are away stops what it was told to keep',
    file: 'libs/node-session/src/lease-loss.ts',
    right: "  append(turn, [{ kind: 'told', onLeaseLoss: told }]);\n",
    wrong: '',
    foundBy: SCENARIOS,
  },
  {
    id: 'refused-result-blocks',
    what: 'a result that the server does not take is sent for ever, and those behind it never',
    file: 'libs/node-session/src/step.ts',
    right: 'if (isAboutContent(status, problemType)) onContentRefused(turn, detail);',
    wrong: 'if (status === 400) onContentRefused(turn, detail);',
    foundBy: SCENARIOS,
  },
  {
    id: 'stops-after-the-lease',
    what: 'stops wait for one another beyond the end of the lease',
    file: 'libs/node-session/src/stopping.ts',
    right: 'if (busy && turn.now < phase.nextAt) return undefined;',
    wrong: 'if (busy) return undefined;',
    foundBy: PROPERTIES,
  },
];
