import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { alertElement } from '@systole/cib';
import { testOrders, type UntestableAlert } from '@systole/cluster';
import { AlertRuns } from '@systole/control-plane-postgres';
import { ClusterStates } from '@systole/read-models';
import type { Response } from 'express';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { DEFAULT_PAGE, pageOf, rowAfter, rowCursor } from '../http/page.js';
import { HttpProblem } from '../http/problem.js';
import { ApiProblems } from '../openapi/responses.js';
import { Write } from '../writes/write.js';
import { alertRunDto, AlertRunListDto, AlertTestDto, ListAlertRunsQuery, TestAlertBody, TestAlertQuery } from './alerts.dto.js';

/** What the programs of alerts were told, and how they took it. */
@ApiTags('alerts')
@Controller('v1/clusters/:cluster')
export class AlertsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly runs: AlertRuns,
    private readonly states: ClusterStates,
  ) {}

  @Get('alert-runs')
  @ApiOperation({
    operationId: 'listAlertRuns',
    summary: "List the runs of alerts' programs",
    description: 'Newest first, each recipient on each node by itself; kept for some days (SYSTOLE_KEEP_DELIVERIES_DAYS of the workers).',
  })
  @ApiOkResponse({ type: AlertRunListDto })
  @ApiProblems(400, 404)
  async list(@Param('cluster') cluster: string, @Query() query: ListAlertRunsQuery): Promise<AlertRunListDto> {
    const { id } = await this.lookup.find(cluster);
    const { limit = DEFAULT_PAGE, alert, outcome } = query;
    const listed = JSON.stringify([id, alert, outcome]);
    const before = query.cursor === undefined ? undefined : rowAfter(listed, query.cursor);
    const read = await this.runs.list(id, {
      limit: limit + 1,
      ...(alert === undefined ? {} : { alert }),
      ...(outcome === undefined ? {} : { outcomes: outcome }),
      ...(before === undefined ? {} : { before }),
    });
    const page = pageOf(read, limit, ({ id: last }) => rowCursor(listed, last));
    const { droppedAt, ...tally } = await this.runs.tally(id);
    return {
      ...page,
      items: page.items.map(alertRunDto),
      ...tally,
      ...(droppedAt === undefined ? {} : { droppedAt: droppedAt.toISOString() }),
    };
  }

  @Post('alerts/:alert/commands/test')
  @Write({
    operationId: 'testAlert',
    summary: 'Have the program of an alert run, to see whether it works',
    description:
      'For each of its recipients, on one node, whatever the alert selects: it is told of a node, with `test` as what has become of it. What came of it is read in the list of runs.',
    restsOn: 'none',
    answer: { status: 202, type: AlertTestDto },
    dryRun: AlertTestDto,
  })
  async test(
    @Param('cluster') cluster: string,
    @Param('alert') alert: string,
    @Query() query: TestAlertQuery,
    @Body() body: TestAlertBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AlertTestDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const state = await this.states.load(clusterId);
    const configured = { id: alert, isConfigured: alertElement(state.cib, alert) !== undefined };
    const orders = testOrders(state, configured, body.node, Date.now());
    if ('problem' in orders) throw untestable(alert, orders);
    if (query.dryRun === true) {
      response.status(200);
      return { dryRun: true, runs: [] };
    }
    const ids = await this.runs.addTests(clusterId, orders);
    return { dryRun: false, runs: (await this.runs.some(clusterId, ids)).map(alertRunDto) };
  }
}

function untestable(alert: string, why: UntestableAlert): HttpProblem {
  const named = alert.slice(0, 100);
  switch (why.problem) {
    case 'unknown-alert': {
      const detail = `the configuration has no alert ${named}`;
      return new HttpProblem(404, 'alert-not-found', detail, { errors: [{ parameter: 'alert', detail }] });
    }
    case 'disabled': {
      const detail = `${named} is not enabled, or none of its recipients is: nothing would be run`;
      return new HttpProblem(409, 'alert-disabled', detail, { errors: [{ parameter: 'alert', detail }] });
    }
    case 'no-node':
      return new HttpProblem(409, 'node-offline', 'no node is there that could run it');
    case 'node-not-joined': {
      const detail = `${why.node.slice(0, 100)} is not there: its agent has no lease`;
      return new HttpProblem(409, 'node-offline', detail, { errors: [{ pointer: '/node', detail }] });
    }
  }
}
