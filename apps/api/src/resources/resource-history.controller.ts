import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { childElements, CibIndex, firstChildNamed } from '@systole/cib';
import {
  describeEvent,
  isDiscovery,
  isExpected,
  parseTransitionKey,
  resourcesWithHistory,
  type ClusterEvent,
  type ClusterState,
  type RecordedClusterEvent,
} from '@systole/cluster';
import { EventStore, type EventFilter, type RecordedEvent, type SubjectFilter } from '@systole/event-store';
import { ClusterStates, recordedClusterEvent } from '@systole/read-models';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { EventDto, eventDto } from '../events/events.dto.js';
import { EventCursors } from '../events/event-cursors.js';
import { MOMENT_OR_AGE, periodOf } from '../http/moments.js';
import { subjectFilterIn } from '../events/subject-filters.js';
import { ChoiceField, TextField, WholeParameter } from '../http/fields.js';
import { DEFAULT_PAGE, pageOf } from '../http/page.js';
import { HttpProblem } from '../http/problem.js';
import { ApiProblems } from '../openapi/responses.js';
import { ClockWatch } from '../watches/clock-watch.js';

const MOMENT_SAYS = 'must be a date and time (ISO 8601), e.g. 2026-01-31T12:00:00Z, or an age, e.g. 2h';

export class ResourceHistoryQuery {
  @WholeParameter({ min: 1, max: 500, description: 'Entries on a page; 100 when left out.', optional: true })
  readonly limit?: number;

  @TextField({ description: '`next` of the previous page, all else being the same.', max: 255, optional: true })
  readonly cursor?: string;

  @ChoiceField({ of: ['asc', 'desc'], description: 'Oldest first (`asc`, when left out) or newest first.', optional: true })
  readonly order?: 'asc' | 'desc';

  @TextField({
    description: 'At or after: a date and time, or an age, e.g. `2h`.',
    pattern: MOMENT_OR_AGE,
    patternSays: MOMENT_SAYS,
    max: 40,
    optional: true,
  })
  readonly since?: string;

  @TextField({
    description: 'Before: a date and time, or an age.',
    pattern: MOMENT_OR_AGE,
    patternSays: MOMENT_SAYS,
    max: 40,
    optional: true,
  })
  readonly until?: string;
}

const KINDS = ['configuration', 'operation', 'failure', 'move', 'cleanup', 'fencing', 'other'] as const;
type Kind = (typeof KINDS)[number];

/** What happened to a resource at one time. */
export class ResourceHistoryEntryDto {
  @ApiProperty({
    enum: [...KINDS],
    description:
      '`configuration`: it, what it stands in, or what refers to it was changed; `operation`: its agent was run, also where a probe found it active or not installed; `failure`: with another result than wanted; `move`: a part of a live migration; ' +
      '`cleanup`: failures or its history were forgotten; `fencing`: a node on which it has been was lost or fenced.',
  })
  readonly kind!: Kind;

  @ApiProperty({ description: 'In words.' })
  readonly text!: string;

  @ApiPropertyOptional({ type: 'integer', description: 'The transition that ordered it.' })
  readonly transition?: number;

  @ApiProperty({ type: EventDto })
  readonly event!: EventDto;
}

export class ResourceHistoryDto {
  @ApiProperty({ type: ResourceHistoryEntryDto, isArray: true, description: 'The entries of this page, in the order that was asked for.' })
  readonly items!: readonly ResourceHistoryEntryDto[];

  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' })
  readonly next?: string;
}

const FENCING: readonly ClusterEvent['type'][] = ['FencingRequested', 'FencingCompleted', 'NodeLeaseLost', 'NodeConfirmedDown'];

/** What happened to a resource, configuration and deeds in one line of time. */
@ApiTags('resources')
@Controller('v1/clusters/:cluster/resources/:resource/history')
export class ResourceHistoryController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly states: ClusterStates,
    private readonly store: EventStore<ClusterEvent>,
    private readonly clock: ClockWatch,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getResourceHistory',
    summary: 'What happened to a resource',
    description:
      'Changes of its configuration, of what it stands in and of what refers to it; its operations, failures and moves; and the loss and fencing of nodes on which it has been, as far as their status tells. ' +
      'Also of one that was deleted.',
  })
  @ApiOkResponse({ type: ResourceHistoryDto })
  @ApiProblems(400, 404, 410)
  async get(
    @Param('cluster') cluster: string,
    @Param('resource') resource: string,
    @Query() query: ResourceHistoryQuery,
  ): Promise<ResourceHistoryDto> {
    const { id: streamId } = await this.lookup.find(cluster);
    const { limit = DEFAULT_PAGE, cursor } = query;
    const backward = query.order === 'desc';
    const cursors = new EventCursors(`history of ${resource} in ${streamId}`, query);
    const after = cursor === undefined ? undefined : await cursors.find(this.store, cursor, streamId);
    const state = await this.states.load(streamId);
    const page = {
      streamId,
      limit: limit + 1,
      direction: backward ? 'backward' : 'forward',
      ...(after === undefined ? {} : { afterVersion: after.version }),
      ...periodOf(query, this.clock.now()),
    } as const;
    const own = subjectFilterIn(`resource:${resource}`, state);
    const read = async (filter: EventFilter): Promise<readonly RecordedEvent<ClusterEvent>[]> => this.store.query({ ...page, ...filter });
    const found = [...(await read({ subjects: [own] })), ...(await read(fencingOf(nodesOf(state, own))))];
    const distinct = [...new Map(found.map((event) => [event.version, event])).values()];
    const inOrder = distinct.toSorted((a, b) => (backward ? b.version - a.version : a.version - b.version));
    if (inOrder.length === 0 && !(await this.#isKnown(streamId, own))) {
      throw new HttpProblem(404, 'resource-not-found', `nothing of a resource ${resource.slice(0, 80)} is in the log of the cluster`);
    }
    const { items, next } = pageOf(inOrder, limit, (last) => cursors.after(last));
    return { items: items.map(entryOf), ...(next === undefined ? {} : { next }) };
  }

  async #isKnown(streamId: string, own: SubjectFilter): Promise<boolean> {
    return (await this.store.query({ streamId, subjects: [own], limit: 1 })).length > 0;
  }
}

function fencingOf(nodes: readonly string[]): EventFilter {
  return { types: nodes.length === 0 ? [] : FENCING, subjects: [{ anyOf: nodes, named: { in: ['node', 'target'], orTypes: [] } }] };
}

/** Nodes that have a history of one of these resources, or of an instance. */
function nodesOf({ cib }: ClusterState, { anyOf }: SubjectFilter): readonly string[] {
  const status = firstChildNamed(new CibIndex(cib).document, 'status');
  const wanted = new Set(anyOf);
  return (status === undefined ? [] : childElements(status)).flatMap((node) => {
    const { uname } = node.attributes;
    const has = resourcesWithHistory(node).some((id) => wanted.has(id.split(':')[0] ?? id));
    return uname !== undefined && has ? [uname] : [];
  });
}

function entryOf(recorded: RecordedEvent<ClusterEvent>): ResourceHistoryEntryDto {
  const { event, actor }: RecordedClusterEvent = recordedClusterEvent(recorded);
  const key = event.type === 'OperationRecorded' ? parseTransitionKey(event.data.transitionKey) : undefined;
  return {
    kind: kindOf(event),
    text: describeEvent(event, actor).text,
    ...(key === undefined ? {} : { transition: key.transition }),
    event: eventDto(recorded),
  };
}

function kindOf(event: ClusterEvent): Kind {
  switch (event.type) {
    case 'ClusterCreated':
    case 'ConfigurationChanged':
      return 'configuration';
    case 'OperationRecorded': {
      const { operation, transitionKey, rc } = event.data;
      const expected = parseTransitionKey(transitionKey)?.expectedRc ?? rc;
      // What a probe finds that nobody thought was there is nothing that failed.
      if (!isExpected(event.data, expected) && !isDiscovery(event.data, expected)) return 'failure';
      return operation === 'migrate_to' || operation === 'migrate_from' ? 'move' : 'operation';
    }
    case 'FailuresCleared':
    case 'HistoryDeleted':
      return 'cleanup';
    case 'FencingRequested':
    case 'FencingCompleted':
    case 'NodeLeaseLost':
    case 'NodeConfirmedDown':
      return 'fencing';
    default:
      return 'other';
  }
}
