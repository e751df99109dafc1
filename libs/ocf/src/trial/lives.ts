import { setTimeout as pause } from 'node:timers/promises';
import type { OperationOutcome } from '../outcome/operation-outcome.js';
import { processStat } from '../process/process-group.js';
import type { TrialSurroundings } from './surroundings.js';
import type { Findings } from './trial.js';

/** What any agent does, whatever its standard calls it. */
export interface Lives {
  start(): Promise<OperationOutcome>;
  stop(): Promise<OperationOutcome>;
  status(): Promise<OperationOutcome>;
}

/** What passes helps a start or a stop, to announce an address for example; what is there this long afterwards is likely the service. ms */
const PASSES_WITHIN_MS = 3_000;
/** A process that is younger than this may pass as well. ms */
const LASTS_MS = 1_000;
/** After what was killed is gone, ms. */
const DIES_WITHIN_MS = 300;

/**
 * What an agent makes of a service whose processes died. It is stopped before and afterwards.
 * @param right what a status may say then
 */
export async function crashed(agent: Lives, surroundings: TrialSurroundings, findings: Findings, right: readonly number[]): Promise<void> {
  if ((await agent.start()).rc !== 0) {
    findings.broken('start after a stop', 'it fails', 'what was stopped is started again by any recovery');
    return;
  }
  await pause(PASSES_WITHIN_MS);
  const service = surroundings.processes().filter(({ ageMs }) => ageMs >= LASTS_MS);
  if (service.length === 0) {
    const seen = `no service process was found ${String(PASSES_WITHIN_MS / 1_000)} s after the start, so that this was not tried`;
    findings.skipped('a service whose processes died', seen);
    await agent.stop();
    return;
  }
  const killed = surroundings.killAll();
  await pause(DIES_WITHIN_MS);
  // To whoever asks the system whether there is such a process there is one.
  if (killed.some((pid) => processStat(pid)?.state === 'Z')) {
    findings.skipped('a service whose processes died', 'nothing on this machine waits for orphans: as zombies they pass for alive');
    await agent.stop();
    return;
  }
  const named = `(killed: ${service.map(({ pid, command }) => `${String(pid)} ${command}`).join('; ')})`;
  findings.judge('status after kill -9', await agent.status(), right, `a dead service that is called running is never recovered ${named}`);
  findings.judge('stop after kill -9', await agent.stop(), [0], `what died can be stopped, or its node is fenced ${named}`);
}

/** What is left when everything is stopped. */
export async function leftovers(surroundings: TrialSurroundings, findings: Findings): Promise<void> {
  if (surroundings.processes().length > 0) await pause(PASSES_WITHIN_MS);
  const processes = surroundings.processes();
  if (processes.length === 0) findings.kept('leftovers: processes', 'none');
  else {
    const list = processes.map(({ pid, command }) => `${String(pid)} ${command}`).join('; ');
    findings.broken('leftovers: processes', list, 'a stop that succeeds leaves nothing running, or the service runs twice after a move');
  }
  const files = surroundings.files();
  if (files.length === 0) findings.kept('leftovers: files', 'none in HA_RSCTMP');
  else findings.note('leftovers: files', files.join(', '), 'what is left in HA_RSCTMP after a stop should mean nothing to the next start');
}
