import type { ServerResponse } from 'node:http';
import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AgentPrincipal } from '@systole/access';
import { alertSecretIds, memberOf, withAlertSecrets } from '@systole/cluster';
import { AlertRuns, PostgresSecrets, type GivenRun } from '@systole/control-plane-postgres';
import { LIMITS, parseAlertsRequest, type AgentAlert, type AlertsAnswer, type AlertsRequest } from '@systole/protocol';
import { ClusterStates } from '@systole/read-models';
import { CallingAgent } from '../access/access.guard.js';
import { HttpProblem } from '../http/problem.js';
import { Shutdown } from '../lifecycle/shutdown.js';
import { ApiProblems } from '../openapi/responses.js';
import { AgentBody, ApiMessages } from './agent-body.js';
import { AlertWaits } from './alert-waits.js';

/** Longest wait for something to run, ms. */
const MOST_WAIT_MS = 60_000;

/** What agents run for alerts. Nothing of the cluster's work depends on it, and no lease is renewed by it. */
@ApiTags('agent')
@Controller('v1/agent')
export class AgentAlertsController {
  constructor(
    private readonly runs: AlertRuns,
    private readonly waits: AlertWaits,
    private readonly states: ClusterStates,
    private readonly secrets: PostgresSecrets,
    private readonly closing: Shutdown,
  ) {}

  @Post('alerts')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'agentAlerts',
    summary: 'Wait for programs of alerts to run, or say how they ended',
    description:
      'A request that tells of ends is answered at once, without anything to run. Else the answer comes as soon as there is something that the agent does not name in `known`, and at the latest when its wait is over. What went with an answer that was lost is given again.',
  })
  @ApiMessages('AgentAlertsRequest', 'AgentAlertsAnswer')
  @ApiProblems(404, 409, 410, 422, 429)
  async alerts(
    @AgentBody(parseAlertsRequest) { incarnation, waitMs, known, ended }: AlertsRequest,
    @CallingAgent() { clusterId, node }: AgentPrincipal,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<AlertsAnswer> {
    await this.#checkIncarnation(clusterId, node, incarnation);
    if (ended.length > 0) {
      await this.runs.end(clusterId, node, ended);
      return { alerts: [] };
    }
    const most = LIMITS.alerts - known.length;
    const ending = this.closing.orGone(response);
    const given = await this.runs.give(clusterId, node, known, most);
    if (given.length > 0) return { alerts: await this.#withSecrets(clusterId, given) };
    await this.waits.wait(clusterId, node, Math.min(waitMs, MOST_WAIT_MS), ending);
    // Nobody is there to be given anything, or to say that it was taken.
    if (ending.aborted) return { alerts: [] };
    return { alerts: await this.#withSecrets(clusterId, await this.runs.give(clusterId, node, known, most)) };
  }

  /** What can't be read is not given, and the node says so. */
  async #withSecrets(clusterId: string, runs: readonly GivenRun[]): Promise<readonly AgentAlert[]> {
    const ids = alertSecretIds(runs);
    const held = ids.length === 0 ? {} : await this.secrets.some(clusterId, ids);
    return runs.map((run) => ({
      ...{ id: run.id, alert: run.alert, ...run.call },
      ...(run.recipient === undefined ? {} : { recipient: run.recipient }),
      ...withAlertSecrets(run, held),
    }));
  }

  /** @throws {HttpProblem} 409 when the node has joined anew since */
  async #checkIncarnation(clusterId: string, node: string, incarnation: number): Promise<void> {
    const state = await this.states.load(clusterId);
    if (memberOf(state, node)?.incarnation !== incarnation) {
      throw new HttpProblem(
        409,
        'incarnation-superseded',
        `incarnation ${String(incarnation)} of ${node} is over: join anew, and ask again`,
      );
    }
  }
}
