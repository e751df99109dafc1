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
  const killed = surroundings.killAll();
  if (killed.length === 0) {
    findings.skipped('a service whose processes died', 'it leaves no processes that could be killed');
    await agent.stop();
    return;
  }
  await pause(DIES_WITHIN_MS);
  // To whoever asks the system whether there is such a process there is one.
  if (killed.some((pid) => processStat(pid)?.state === 'Z')) {
    findings.skipped('a service whose processes died', 'nothing on this machine waits for orphans: as zombies they pass for alive');
    await agent.stop();
    return;
  }
  findings.judge('status after kill -9', await agent.status(), right, 'a dead service that is called running is never recovered');
  findings.judge('stop after kill -9', await agent.stop(), [0], 'what died can be stopped, or its node is fenced');
}

/** What is left when everything is stopped. */
export function leftovers(surroundings: TrialSurroundings, findings: Findings): void {
  const processes = surroundings.processes();
  if (processes.length === 0) findings.kept('leftovers: processes', 'none');
  else {
    const list = processes.map(({ pid, command }) => `${String(pid)} ${command}`).join('; ');
    findings.broken('leftovers: processes', list, 'a stop that succeeds leaves nothing running, or the service runs twice after a move');
  }
  const files = surroundings.files();
  if (files.length === 0) findings.kept('leftovers: files', 'none in HA_RSCTMP and HA_VARRUN');
  else findings.note('leftovers: files', files.join(', '), 'what is left in HA_RSCTMP after a stop should mean nothing to the next start');
}
