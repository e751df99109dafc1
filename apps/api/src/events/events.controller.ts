import { Controller, Get, Headers, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { initialState, type ClusterEvent, type ClusterState } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import { ClusterStates } from '@systole/read-models';
import type { Request, Response } from 'express';
import { Operator } from '../access/access.guard.js';
import type { OperatorPrincipal } from '@systole/access';
import { API_SETTINGS, type ApiSettings } from '../api-settings.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { DEFAULT_PAGE, pageOf } from '../http/page.js';
import { HttpProblem } from '../http/problem.js';
import { clientGone } from '../http/request-context.js';
import { ClusterSignals } from '../lifecycle/cluster-signals.js';
import { Shutdown } from '../lifecycle/shutdown.js';
import { ApiProblems } from '../openapi/responses.js';
import { EventCursors } from './event-cursors.js';
import { eventGone } from './event-gone.js';
import { isSameEvent, lastEvent } from './event-id.js';
import { writeEventStream } from './event-stream.js';
import { StreamPlaces } from './stream-places.js';
import { eventFilter } from './event-filters.js';
import { EVENT_TEXTS } from './event-texts.js';
import { acceptedFormat, exportHeaders, pagesOf, writeEvents } from './event-export.js';
import { EventDto, eventDto, EventExportQuery, EventFilterQuery, EventListDto, EventsQuery, EventStreamQuery } from './events.dto.js';
import { ClockWatch } from '../watches/clock-watch.js';

/** What happened to a cluster: who, when, what, why. */
@ApiTags('events')
@Controller('v1/clusters/:cluster/events')
export class EventsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly store: EventStore<ClusterEvent>,
    private readonly states: ClusterStates,
    private readonly places: StreamPlaces,
    private readonly signals: ClusterSignals,
    private readonly shutdown: Shutdown,
    @Inject(API_SETTINGS) private readonly settings: ApiSettings,
    private readonly clock: ClockWatch,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listEvents',
    summary: "List a cluster's events",
    description:
      'Every change, report and decision, with who, when and why; oldest first, a page at a time. Administrators read those of a cluster that was deleted, by its id.',
  })
  @ApiOkResponse({ type: EventListDto })
  @ApiProblems(400, 404, 410)
  async list(
    @Param('cluster') cluster: string,
    @Query() query: EventsQuery,
    @Operator() operator: OperatorPrincipal,
  ): Promise<EventListDto> {
    const { id: streamId } = await this.lookup.findEver(cluster, operator);
    const { limit = DEFAULT_PAGE, cursor } = query;
    const cursors = new EventCursors(`events of ${streamId}`, query);
    const after = cursor === undefined ? undefined : await cursors.find(this.store, cursor, streamId);
    const read = await this.store.query({
      streamId,
      limit: limit + 1,
      direction: query.order === 'desc' ? 'backward' : 'forward',
      ...(after === undefined ? {} : { afterVersion: after.version }),
      ...eventFilter(query, await this.stateFor(streamId, query), this.clock.now()),
    });
    const page = pageOf(read, limit, (last) => cursors.after(last));
    return { ...page, items: page.items.map(eventDto) };
  }

  @Get('export')
  @ApiOperation({
    operationId: 'exportEvents',
    summary: "Export a cluster's events (NDJSON or CSV)",
    description:
      'All events that the filters let through, up to the newest one of now, one a line; a million of them take no more memory than a page. An answer that was cut off is not complete. ' +
      'In CSV, what a spreadsheet would take for a formula has an apostrophe before it.',
  })
  @ApiOkResponse({
    description: 'EventDto as JSON, one a line; or CSV with a header.',
    content: { 'application/x-ndjson': { schema: { type: 'string' } }, 'text/csv': { schema: { type: 'string' } } },
  })
  @ApiProblems(400, 404, 406, 429, 503)
  async export(
    @Param('cluster') cluster: string,
    @Query() query: EventExportQuery,
    @Operator() operator: OperatorPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { id: clusterId, name } = await this.lookup.findEver(cluster, operator);
    const filter = eventFilter(query, await this.stateFor(clusterId, query), this.clock.now());
    const texts = EVENT_TEXTS[query.format ?? acceptedFormat(request)];
    const isHead = request.method === 'HEAD';
    if (!isHead) this.places.take(operator.tokenId, response);
    exportHeaders(response, `${name}-events`, texts);
    if (isHead) {
      response.end();
      return;
    }
    const head = (await this.store.head(clusterId))?.version ?? 0;
    const direction = query.order === 'desc' ? 'backward' : 'forward';
    const pages = pagesOf(this.store, { clusterId, filter, direction, head });
    await writeEvents(response, pages, texts, [clientGone(response), this.shutdown.signal]);
  }

  @Get('stream')
  @ApiOperation({
    operationId: 'streamEvents',
    summary: "Follow a cluster's events (server-sent events)",
    description:
      'Each event has an `id` that begins with its version and tells it from another one of that version in a log that was restored, its type as `event`, and EventDto as `data`. Comments keep an idle connection alive, and say with an `id` how far it has come where events are passed over. When the log no longer holds ' +
      'the event that was seen last (the database was restored), the stream ends with the event `gone`, which has no id and ProblemDto as `data`: read the ' +
      'state again, and follow from there.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: '`id` of the last event that was received; its version alone will do, and proves less.',
  })
  @ApiOkResponse({ description: 'The stream.', content: { 'text/event-stream': { schema: { type: 'string' } } } })
  @ApiProblems(400, 404, 410, 429, 503)
  async stream(
    @Param('cluster') cluster: string,
    @Query() query: EventStreamQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Operator() operator: OperatorPrincipal,
    @Res() response: Response,
  ): Promise<void> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const { version: head } = await this.states.load(clusterId);
    const known = lastEvent(lastEventId) ?? { version: query.after ?? head };
    const { version } = known;
    if (version > head) throw eventGone(`the cluster has no event ${version}`, head);
    const hash = version === 0 ? undefined : await this.store.hashAt(clusterId, version);
    if (hash !== undefined && !isSameEvent(known, hash)) {
      throw eventGone(`the cluster's log, restored perhaps, has another event ${version} than the one that was received`, head);
    }
    if (response.req.method === 'HEAD') {
      response.type('text/event-stream').end();
      return;
    }
    this.places.take(operator.tokenId, response);
    await writeEventStream(response, this.store, this.signals, {
      clusterId,
      after: { version, ...(hash === undefined ? {} : { hash }) },
      filter: eventFilter(query, await this.stateFor(clusterId, query), this.clock.now()),
      heartbeatMs: this.settings.heartbeatMs,
      ends: [clientGone(response), this.shutdown.signal],
    });
  }

  /** Only subjects need the state. */
  private async stateFor(clusterId: string, { subject }: Pick<EventFilterQuery, 'subject'>): Promise<Pick<ClusterState, 'cib'>> {
    return subject === undefined ? initialState() : this.states.load(clusterId);
  }

  @Get(':version')
  @ApiOperation({
    operationId: 'getEvent',
    summary: 'Get one event',
    description: 'By its version in the stream of the cluster, with its hashes.',
  })
  @ApiOkResponse({ type: EventDto })
  @ApiProblems(404)
  async get(
    @Param('cluster') cluster: string,
    @Param('version') version: string,
    @Operator() operator: OperatorPrincipal,
  ): Promise<EventDto> {
    const { id } = await this.lookup.findEver(cluster, operator);
    const wanted = /^[1-9]\d{0,14}$/.test(version) ? Number(version) : 0;
    const [event] = wanted === 0 ? [] : await this.store.readStream(id, { fromVersion: wanted, toVersion: wanted });
    if (event === undefined) throw new HttpProblem(404, 'event-not-found', `the cluster has no event ${version.slice(0, 20)}`);
    return eventDto(event);
  }
}
