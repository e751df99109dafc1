import { unfenceableOf } from '../resilience/loss-groups.js';
import { Body, Controller, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { readEdits } from '@systole/cib';
import { configuredNodes, epochVersion, fold, type ClusterState } from '@systole/cluster';
import type { Response } from 'express';
import { Waiting } from '../access/access.guard.js';
import { ClusterHistory, type ClusterAtVersion } from '../reads/cluster-history.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import type { Caller } from '../computing/caller.js';
import { ComputingLanes } from '../computing/computing-lanes.js';
import type { WhatIfTask } from '../computing/task.js';
import { tagBy } from '../http/revalidation.js';
import { HttpProblem, type ProblemIssue } from '../http/problem.js';
import type { RawJson } from '../http/raw-json.js';
import { rejectionProblem } from '../http/rejection-problem.js';
import { ApiProblems } from '../openapi/responses.js';
import { SchedulePreview } from '../scheduling/schedule-preview.js';
import { LargeCommands } from '../writes/large-commands.js';
import { WritesNothing } from '../writes/write.js';
import { WhatIfBody, WhatIfDto, WhatIfQuery, type SupposedResultBody } from './what-if.dto.js';

/** What would become of a cluster to which something happens. */
@ApiTags('simulate')
@Controller('v1/clusters/:cluster/simulate')
export class WhatIfController {
  /** What is only tried holds up no writes. */
  readonly #edits: LargeCommands;

  constructor(
    private readonly lookup: ClusterLookup,
    private readonly history: ClusterHistory,
    private readonly preview: SchedulePreview,
    lanes: ComputingLanes,
  ) {
    this.#edits = new LargeCommands(lanes.trials);
  }

  @Post()
  @WritesNothing('tells what would become of a cluster')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'whatIf',
    summary: 'Say what would become of a cluster if it were edited, lost nodes, quorum or tickets, or if operations failed',
    description:
      'Nothing is done. The edits are made first, then what happens is taken in, in the order of the fields here; then it is planned and carried out in thought, plan by plan, until the cluster rests. Operations succeed unless they are named in `failures`. As `crm_simulate --simulate` does with its injections, but to the end.',
  })
  @ApiOkResponse({ type: WhatIfDto })
  @ApiProblems(400, 404, 409, 413, 415, 422, 429, 503)
  async whatIf(
    @Param('cluster') cluster: string,
    @Query() query: WhatIfQuery,
    @Body() body: WhatIfBody,
    @Waiting() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RawJson> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const at = await this.history.asked(clusterId, query.at === undefined ? {} : { at: query.at });
    const { state, now } = at;
    const edited = await this.#edited(at, body.edits, caller);
    const faults = absentNodes(edited, body);
    if (faults.length > 0) throw unprocessable(faults);
    const answer = await this.preview.whatIf({ clusterId, cib: edited.cib, now: query.now ?? now }, caller, {
      ...assumedOf(body),
      ...unfenceableOf(edited, body.nodesLost ?? [], (query.now ?? now) * 1_000),
    });
    if ('impossible' in answer) throw unprocessable(answer.impossible.map((detail) => ({ pointer: '/results', detail })));
    tagBy(response, epochVersion(state));
    return answer;
  }

  async #edited({ state, now }: ClusterAtVersion, asked: WhatIfBody['edits'], caller: Caller): Promise<ClusterState> {
    if (asked === undefined) return state;
    const reading = readEdits(asked, '/edits');
    if (!reading.ok) throw unprocessable(reading.findings.map(({ pointer, message }) => ({ pointer, detail: message })));
    // A supposition is refused nothing that a configuration could be: what is surely not meant is told when it is written.
    const decision = await this.#edits.judge({ type: 'edit-configuration', edits: reading.edits, force: true }, state, {}, caller);
    if (!decision.ok) throw rejectionProblem(decision.rejection);
    const supposed = { occurredAt: new Date(now * 1_000).toISOString(), actor: 'what-if', correlationId: 'what-if' };
    const recorded = decision.events.map((event, index) => ({ version: state.version + 1 + index, ...supposed, event }));
    return fold(state, recorded);
  }
}

function assumedOf(body: WhatIfBody): WhatIfTask['assumed'] {
  const { quorum, nodesUp, nodesDown, nodesLost, ticketsGranted, ticketsRevoked, ticketsStandby, ticketsActive, results, failures } = body;
  return {
    injections: {
      ...(quorum === undefined ? {} : { quorum: quorum ? '1' : '0' }),
      ...(nodesUp === undefined ? {} : { nodesUp }),
      ...(nodesDown === undefined ? {} : { nodesDown }),
      ...(nodesLost === undefined ? {} : { nodesFailed: nodesLost }),
      ...(ticketsGranted === undefined ? {} : { ticketsGranted }),
      ...(ticketsRevoked === undefined ? {} : { ticketsRevoked }),
      ...(ticketsStandby === undefined ? {} : { ticketsStandby }),
      ...(ticketsActive === undefined ? {} : { ticketsActivated: ticketsActive }),
      ...(results === undefined ? {} : { operations: results.map(operationText) }),
    },
    ...(failures === undefined ? {} : { failures: failures.map(operationText) }),
  };
}

/** As the simulator names results (specification 08 §8.4). */
function operationText({ resource, operation, intervalMs = 0, node, rc }: SupposedResultBody): string {
  return `${resource}_${operation}_${String(intervalMs)}@${node}=${String(rc)}`;
}

/** Nodes are named that are not configured. */
function absentNodes({ cib }: ClusterState, { nodesUp, nodesDown, nodesLost, results, failures }: WhatIfBody): readonly ProblemIssue[] {
  const known = new Set(configuredNodes(cib).map(({ name }) => name));
  const absent = (pointer: string, name: string): readonly ProblemIssue[] =>
    known.has(name) ? [] : [{ pointer, detail: `there is no node ${name.slice(0, 80)}` }];
  return [
    ...Object.entries({ nodesUp, nodesDown, nodesLost }).flatMap(([field, names = []]) =>
      names.flatMap((name, index) => absent(`/${field}/${String(index)}`, name)),
    ),
    ...Object.entries({ results, failures }).flatMap(([field, of = []]) =>
      of.flatMap(({ node }, index) => absent(`/${field}/${String(index)}/node`, node)),
    ),
  ];
}

function unprocessable(errors: readonly ProblemIssue[]): HttpProblem {
  const { pointer = '', detail = 'is not possible' } = errors[0] ?? {};
  return new HttpProblem(422, 'invalid-argument', `${pointer} ${detail}`.trim(), { errors });
}
