import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { epochVersion, primitivesOf, type ClusterEvent } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import { ClusterStates, TransitionList, type TransitionEntry, type TransitionFilter } from '@systole/read-models';
import { SCHEDULER_VERSION } from '@systole/scheduler';
import type { Request, Response } from 'express';
import { Waiting } from '../access/access.guard.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import type { Caller } from '../computing/caller.js';
import { ExplanationQuery, selectionOf, TransitionExplanationDto } from '../explanation/explanation.dto.js';
import { ApiTagged, tagBy } from '../http/revalidation.js';
import { DEFAULT_PAGE } from '../http/page.js';
import { HttpProblem } from '../http/problem.js';
import { RawJson } from '../http/raw-json.js';
import { ApiProblems } from '../openapi/responses.js';
import { SchedulePreview } from '../scheduling/schedule-preview.js';
import { EventCursors } from '../events/event-cursors.js';
import { periodOf } from '../http/moments.js';
import { ClockWatch } from '../watches/clock-watch.js';
import { TransitionSteps } from '../status/transition-steps.js';
import { ReplayDto, TransitionDetailDto, TransitionListDto, TransitionsQuery } from './transitions.dto.js';

const gunzipped = promisify<Buffer, Buffer>(gunzip);

/** Plans of a cluster and how they went. */
@ApiTags('transitions')
@ApiExtraModels(TransitionDetailDto)
@Controller('v1/clusters/:cluster/transitions')
export class TransitionsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly transitions: TransitionList,
    private readonly store: EventStore<ClusterEvent>,
    private readonly states: ClusterStates,
    private readonly preview: SchedulePreview,
    private readonly steps: TransitionSteps,
    private readonly clock: ClockWatch,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listTransitions',
    summary: 'List the transitions, newest first',
    description:
      'What was planned, from which version, why, and how it ended; also by what they contain: fencing, a resource, a node, an outcome.',
  })
  @ApiOkResponse({ type: TransitionListDto })
  @ApiProblems(400, 404, 410)
  async list(@Param('cluster') cluster: string, @Query() query: TransitionsQuery): Promise<TransitionListDto> {
    const { id } = await this.lookup.find(cluster);
    const limit = query.limit ?? DEFAULT_PAGE;
    const cursors = new EventCursors(`transitions of ${id}`, query, 'desc');
    const below = query.cursor === undefined ? {} : { belowNumber: await this.#numberAt(cursors, query.cursor, id) };
    const filter = await this.#filterOf(id, query);
    const read = await this.transitions.list(id, { ...filter, limit: limit + 1, ...below });
    const last = read.length > limit ? read[limit - 1] : undefined;
    const items = read.slice(0, limit);
    return last === undefined ? { items } : { items, next: await cursors.afterVersion(this.store, id, last.plannedVersion) };
  }

  /** The number of the transition that a cursor names by the event that planned it. */
  async #numberAt(cursors: EventCursors, cursor: string, clusterId: string): Promise<number> {
    const event = await cursors.find(this.store, cursor, clusterId);
    if (event.type === 'TransitionPlanned') return event.data.number;
    throw cursors.foreign();
  }

  async #filterOf(clusterId: string, query: TransitionsQuery): Promise<TransitionFilter> {
    const { status, fencing, failed, resource, node } = query;
    return {
      ...(status === undefined ? {} : { statuses: status }),
      ...(fencing === undefined ? {} : { fencing }),
      ...(failed === undefined ? {} : { failed }),
      ...(resource === undefined ? {} : { resources: [...(primitivesOf(await this.states.load(clusterId), resource) ?? []), resource] }),
      ...(node === undefined ? {} : { node }),
      ...periodOf(query, this.clock.now()),
    };
  }

  @Get(':number')
  @ApiOperation({
    operationId: 'getTransition',
    summary: 'Get a transition with its graph: as JSON, or for Graphviz (Accept: text/vnd.graphviz)',
    description: 'With the actions, what each waits for, and what has come of it so far.',
  })
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(TransitionDetailDto) } },
      'text/vnd.graphviz': { schema: { type: 'string' } },
    },
  })
  @ApiProblems(404, 406)
  async get(
    @Param('cluster') cluster: string,
    @Param('number') number: string,
    @Req() request: Request,
    @Waiting() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | string> {
    const { id } = await this.lookup.find(cluster);
    const entry = await this.#find(id, number);
    response.vary('Accept');
    switch (request.accepts(['application/json', 'text/vnd.graphviz'])) {
      case 'text/vnd.graphviz':
        response.type('text/vnd.graphviz');
        return this.#draw(id, entry, caller);
      case false:
        throw new HttpProblem(406, 'not-acceptable', 'a transition can be had as application/json or text/vnd.graphviz');
      default:
        return this.#detail(id, entry, caller);
    }
  }

  @Get(':number/dot')
  @ApiOperation({
    operationId: 'getTransitionDot',
    summary: "Get a transition's graph for Graphviz",
    description: 'Actions and what each waits for, as a digraph.',
  })
  @ApiOkResponse({ content: { 'text/vnd.graphviz': { schema: { type: 'string' } } } })
  @ApiProblems(404)
  async dot(
    @Param('cluster') cluster: string,
    @Param('number') number: string,
    @Waiting() caller: Caller,
    @Res() response: Response,
  ): Promise<void> {
    const { id } = await this.lookup.find(cluster);
    response.type('text/vnd.graphviz').send(await this.#draw(id, await this.#find(id, number), caller));
  }

  @Get(':number/replay')
  @ApiOperation({
    operationId: 'replayTransition',
    summary: 'Compute a transition again from the events, and compare',
    description:
      'The graph’s digest is compared with the one that was recorded: they differ only if events were changed, or the scheduler decides otherwise by now.',
  })
  @ApiOkResponse({ type: ReplayDto })
  @ApiProblems(404)
  async replay(@Param('cluster') cluster: string, @Param('number') number: string, @Waiting() caller: Caller): Promise<ReplayDto> {
    const { id } = await this.lookup.find(cluster);
    const { inputVersion, plannedVersion, now, digest } = await this.#find(id, number);
    const { lastPlanned } = await this.states.loadAt(id, plannedVersion);
    const { cib } = await this.states.loadAt(id, inputVersion);
    const recomputed = await this.preview.digest({ clusterId: id, cib, now }, caller);
    const same = recomputed === digest;
    return { digest, plannedBy: lastPlanned?.schedulerVersion ?? '', recomputed, recomputedBy: SCHEDULER_VERSION, same };
  }

  @Get(':number/explanation')
  @ApiOperation({
    operationId: 'explainTransition',
    summary: 'Explain a transition: the reasons of its actions, computed again from the state and the time that it was planned from',
    description: 'With what else would have been possible, and the scores and constraints that decided.',
  })
  @ApiOkResponse({ type: TransitionExplanationDto })
  @ApiTagged()
  @ApiProblems(400, 404)
  async explanation(
    @Param('cluster') cluster: string,
    @Param('number') number: string,
    @Query() query: ExplanationQuery,
    @Waiting() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TransitionExplanationDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const entry = await this.#find(clusterId, number);
    const { inputVersion: version, now, digest } = entry;
    const state = await this.states.loadAt(clusterId, version);
    const { digest: recomputed, explanation } = await this.preview.explain({ clusterId, cib: state.cib, now }, caller, selectionOf(query));
    tagBy(response, epochVersion(state));
    return { clusterId, number: entry.number, version, now, same: recomputed === digest, ...explanation };
  }

  async #find(clusterId: string, number: string): Promise<TransitionEntry> {
    const entry = /^[1-9]\d{0,8}$/.test(number) ? await this.transitions.get(clusterId, Number(number)) : undefined;
    if (entry === undefined) throw new HttpProblem(404, 'transition-not-found', `the cluster has no transition ${number.slice(0, 20)}`);
    return entry;
  }

  /**
   * The answer. The schedule is computed again from the events, and the graph where it is not stored (yet, or any more). They may be very long, so they
   * are passed on as they are.
   */
  async #detail(clusterId: string, entry: TransitionEntry, caller: Caller): Promise<object> {
    const { cib } = await this.states.loadAt(clusterId, entry.inputVersion);
    const computed = await this.preview.scheduleAndGraph({ clusterId, cib, now: entry.now }, caller);
    const stored = await this.transitions.stored(clusterId, entry);
    const graph = stored === undefined ? computed.graph : new RawJson(await gunzipped(stored.gzip));
    const { transition } = await this.states.load(clusterId);
    const results = transition?.number === entry.number ? await this.preview.results(graph.bytes, transition, caller) : undefined;
    const steps = await this.steps.of(clusterId, entry);
    return { ...entry, results, steps, graph, schedule: computed.schedule };
  }

  /** Drawn from the events each time: the drawing shows more than the graph holds. */
  async #draw(clusterId: string, entry: TransitionEntry, caller: Caller): Promise<string> {
    const { cib } = await this.states.loadAt(clusterId, entry.inputVersion);
    return this.preview.dot({ clusterId, cib, now: entry.now }, caller);
  }
}
