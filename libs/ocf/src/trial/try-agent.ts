import { findAgent, type AgentDirectories } from '../resource-agent/lookup.js';
import type { AgentResource } from '../resource-agent/resource.js';
import { OcfTrial } from './ocf-trial.js';
import { LsbTrial, UnitTrial } from './service-trials.js';
import { TrialSurroundings } from './surroundings.js';
import { Findings, Untriable, type Progress, type TrialReport } from './trial.js';

/** What is tried, and with what. */
export interface TrialRequest {
  readonly resource: AgentResource;
  readonly parameters: Readonly<Record<string, string>>;
  readonly directories: AgentDirectories;
}

/**
 * Tries an agent as its standard demands: it is started, stopped and killed on this machine. What it has started is stopped again, however the trial ends.
 * @param stop ends the trial after the action that is under way
 */
export async function tryAgent(request: TrialRequest, progress: Progress, stop: AbortSignal): Promise<TrialReport> {
  const { resource } = request;
  const agent = [resource.class, ...(resource.provider === undefined ? [] : [resource.provider]), resource.type].join(':');
  const surroundings = new TrialSurroundings(request.directories);
  const findings = new Findings(progress, stop);
  try {
    await tryOut(request, surroundings, findings);
    return { agent, checks: findings.checks };
  } catch (error) {
    if (!(error instanceof Untriable)) throw error;
    return { agent, untried: error.message, checks: findings.checks };
  } finally {
    surroundings.close();
  }
}

async function tryOut(
  { resource, parameters, directories }: TrialRequest,
  surroundings: TrialSurroundings,
  findings: Findings,
): Promise<void> {
  const found = await findAgent(resource, directories);
  switch (found.kind) {
    case 'missing':
      throw new Untriable(found.reason);
    case 'unknown':
      throw new Untriable(found.message);
    case 'stonith':
      throw new Untriable('fence agents are not tried: they switch machines off');
    case 'ocf':
      return untilTheEnd(new OcfTrial(resource, parameters, surroundings, findings));
    case 'lsb':
      return untilTheEnd(new LsbTrial(found.path, surroundings, findings));
    case 'systemd':
      return untilTheEnd(new UnitTrial(resource, found, surroundings, findings));
  }
}

interface Trial {
  run(): Promise<void>;
  end(): Promise<void>;
}

/** What runs already is left running: that it does is found out before anything is started. */
async function untilTheEnd(trial: Trial): Promise<void> {
  try {
    await trial.run();
  } catch (error) {
    if (!(error instanceof Untriable) || error.message === 'interrupted') await trial.end();
    throw error;
  }
}
