import { Controller, Get, Headers, Inject, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { reaches, type OperatorPrincipal } from '@systole/access';
import { initialState } from '@systole/cluster';
import {
  EventTail,
  isOfServer,
  matchesFilter,
  UnknownPosition,
  type EventFilter,
  type PlaceInLog,
  type RecordedEvent,
} from '@systole/event-store';
import { KnownClusters } from '@systole/read-models';
import type { Response } from 'express';
import { Operator } from '../access/access.guard.js';
import { API_SETTINGS, type ApiSettings } from '../api-settings.js';
import { auditEntryDto } from './audit-entries.js';
import type { AuditEntryDto } from './audit.dto.js';
import type { LoggedEvent } from './logged-event.js';

import { ClusterLookup, clusterNotFound } from '../reads/cluster-lookup.js';
import { clientGone } from '../http/request-context.js';
import { Shutdown } from '../lifecycle/shutdown.js';
import { ApiProblems } from '../openapi/responses.js';
import { placeGone, writeAllEvents } from './all-events-stream.js';
import { eventFilter } from '../events/event-filters.js';
import { lastEvent } from '../events/event-id.js';
import { AllEventsStreamQuery } from '../events/events.dto.js';
import { isShownTo } from '../events/shown-past.js';
import { StreamPlaces } from '../events/stream-places.js';
import { ClockWatch } from '../watches/clock-watch.js';

/** What happens in all clusters. */
@ApiTags('events')
@Controller('v1/events')
export class AllEventsController {
  constructor(
    private readonly tail: EventTail<LoggedEvent>,
    private readonly clusters: KnownClusters,
    private readonly lookup: ClusterLookup,
    private readonly places: StreamPlaces,
    private readonly shutdown: Shutdown,
    @Inject(API_SETTINGS) private readonly settings: ApiSettings,
    private readonly clock: ClockWatch,
  ) {}

  @Get('stream')
  @ApiOperation({
    operationId: 'streamAllEvents',
    summary: 'Follow the events of all clusters (server-sent events)',
    description:
      'Of all clusters that there are for the one who asks, those that come later included; in an order in which the events of each cluster are in theirs. Each has an `id` that begins with its global position, its type as ' +
      '`event`, and AuditEntryDto as `data`. Comments keep an idle connection alive, and say with an `id` how far it has come. When the log no longer holds the event that was seen last (the database was restored), the stream ' +
      'ends with the event `gone`, which has no id and ProblemDto as `data`. It ends, too, when the token does.',
  })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: '`id` of the last event that was received.' })
  @ApiOkResponse({ description: 'The stream.', content: { 'text/event-stream': { schema: { type: 'string' } } } })
  @ApiProblems(400, 404, 410, 429, 503)
  async stream(
    @Query() query: AllEventsStreamQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Operator() operator: OperatorPrincipal,
    @Res() response: Response,
  ): Promise<void> {
    const only = query.cluster === undefined ? undefined : await this.#idsOf(query.cluster, operator);
    const after = await this.#placeOf(query, lastEventId);
    if (response.req.method === 'HEAD') {
      response.type('text/event-stream').end();
      return;
    }
    this.places.take(operator.tokenId, response);
    const filter = eventFilter(query, initialState(), this.clock.now());
    await writeAllEvents(response, this.tail, {
      after,
      shown: (event) => this.#shown(event, operator, filter, only),
      heartbeatMs: this.settings.heartbeatMs,
      ends: [clientGone(response), this.shutdown.signal],
    });
  }

  async #shown(
    event: RecordedEvent<LoggedEvent>,
    operator: OperatorPrincipal,
    filter: EventFilter,
    only: ReadonlySet<string> | undefined,
  ): Promise<AuditEntryDto | undefined> {
    const { streamId } = event;
    if (isOfServer(streamId) || only?.has(streamId) === false || !matchesFilter(event, filter)) return undefined;
    const cluster = await this.clusters.find(streamId);
    if (!isShownTo(operator, event, cluster)) return undefined;
    return auditEntryDto(event, new Map(cluster === undefined ? [] : [[cluster.id, cluster.name]]));
  }

  /** @throws {HttpProblem} 404 for what is not there for whoever asks */
  async #idsOf(clusters: readonly string[], operator: OperatorPrincipal): Promise<ReadonlySet<string>> {
    const found = await Promise.all(clusters.map((cluster) => this.lookup.find(cluster)));
    const hidden = found.findIndex((entry) => !reaches(operator, entry));
    if (hidden >= 0) throw clusterNotFound(clusters[hidden] ?? '');
    return new Set(found.map(({ id }) => id));
  }

  /** @throws {HttpProblem} 400, 410 */
  async #placeOf({ after }: AllEventsStreamQuery, lastEventId: string | undefined): Promise<PlaceInLog> {
    const known = lastEvent(lastEventId);
    if (known === undefined && after === undefined) return this.tail.end();
    const place =
      known === undefined
        ? { position: after ?? 0 }
        : { position: known.version, ...(known.hash === undefined ? {} : { hash: known.hash }) };
    try {
      await this.tail.after(place);
      return place;
    } catch (error) {
      if (error instanceof UnknownPosition) throw await placeGone(this.tail, place.position);
      throw error;
    }
  }
}
