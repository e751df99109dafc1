import { Body, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { primitiveIdOf, readingOf } from '@systole/cib';
import { epochVersion, memberOf, type ClusterState } from '@systole/cluster';
import type { ResourceSummary } from '@systole/scheduler';
import type { Failure, Loss, LossOutcome } from '@systole/simulator';
import type { Request, Response } from 'express';
import { Waiting } from '../access/access.guard.js';
import { ClusterHistory } from '../reads/cluster-history.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import type { Caller } from '../computing/caller.js';
import type { LossWithReasons } from '../computing/task.js';
import { tagBy } from '../http/revalidation.js';
import { HttpProblem } from '../http/problem.js';
import { writeInStep } from '../http/write-in-step.js';
import { ApiProblems } from '../openapi/responses.js';
import { SchedulePreview, type Scheduled } from '../scheduling/schedule-preview.js';
import { WritesNothing } from '../writes/write.js';
import { lossGroups, type LossesBy } from './loss-groups.js';
import { LossDto, ResilienceBegunDto, ResilienceBody, ResilienceDto } from './resilience.dto.js';

/** Losses in one request: each is planned and carried out in thought. */
const MOST_LOSSES = 2_000;
const NDJSON = 'application/x-ndjson';

/** What each line is (JSON Schema 2020-12, content vocabulary); types of OpenAPI 3.0 do not know it. */
const LINE: object = {
  contentMediaType: NDJSON,
  contentSchema: { oneOf: [ResilienceBegunDto, LossDto, ResilienceDto].map((type) => ({ $ref: getSchemaPath(type) })) },
};

/** What a cluster would bear. */
@ApiTags('simulate')
@ApiExtraModels(ResilienceDto, ResilienceBegunDto, LossDto)
@Controller('v1/clusters/:cluster/resilience')
export class ResilienceController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly history: ClusterHistory,
    private readonly preview: SchedulePreview,
  ) {}

  @Post()
  @WritesNothing('tries losses in thought')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'tryLosses',
    summary: 'Say what would stop, move and stay down at the loss of each node, pair or group of nodes',
    description:
      'Nothing is done: each loss is planned and carried out in thought, with fencing and with the quorum that would be left, beginning from the cluster once all that is planned already was done. With `Accept: application/x-ndjson` it is told how many are tried, then each loss as soon as it is known, a line each, and at last the whole without its losses: an answer that does not end with that is not complete. Who goes away ends it.',
  })
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(ResilienceDto) } },
      [NDJSON]: {
        schema: {
          type: 'string',
          description: 'A line of ResilienceBegunDto, lines of LossDto, and at last one of ResilienceDto with no losses.',
          ...LINE,
        },
      },
    },
  })
  @ApiProblems(400, 404, 406, 422, 429, 503)
  async tryLosses(
    @Param('cluster') cluster: string,
    @Body() body: ResilienceBody,
    @Waiting() caller: Caller,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const by = lossesBy(body);
    const { id: clusterId } = await this.lookup.find(cluster);
    const { state, now } = await this.history.at(clusterId, undefined);
    const of: Scheduled = { clusterId, cib: state.cib, now };
    const nodes = askedNodes(state, body.nodes);
    const groups = by.by === 'resource' ? await this.#failures(of, by.resources, nodes, caller) : lossGroups(state, by, nodes, now * 1_000);
    if (groups.losses.length > MOST_LOSSES) {
      const detail = `that would be ${String(groups.losses.length)} losses; ${String(MOST_LOSSES)} may be tried at once: name fewer`;
      throw new HttpProblem(422, 'invalid-argument', detail, {
        errors: [{ pointer: by.by === 'resource' ? '/resources' : '/nodes', detail }],
      });
    }
    const accepted = request.accepts(['application/json', NDJSON]);
    if (accepted === false) throw new HttpProblem(406, 'not-acceptable', `the answer can be had as application/json or ${NDJSON}`);
    tagBy(response.vary('Accept'), epochVersion(state));
    const begun = { clusterId, version: state.version, now };
    const lines = accepted === NDJSON;
    if (lines) {
      response.type(NDJSON);
      await writeInStep(response, `${JSON.stringify({ ...begun, tries: groups.losses.length } satisfies ResilienceBegunDto)}\n`);
    }
    const losses: LossDto[] = [];
    for await (const loss of this.#outcomes(of, groups, caller)) {
      if (lines) await writeInStep(response, `${JSON.stringify(loss)}\n`);
      losses.push(loss);
    }
    const result = {
      ...begun,
      without: groups.without,
      losses: lines ? [] : losses,
      singlePointsOfFailure: pointsIn(losses),
    } satisfies ResilienceDto;
    if (lines) response.end(`${JSON.stringify(result)}\n`);
    else response.json(result);
  }

  /** One after another: what others try has its turns in between. */
  async *#outcomes(of: Scheduled, { losses }: Tries, caller: Caller): AsyncGenerator<LossDto, void, undefined> {
    const { options } = readingOf(of.cib, of.now * 1_000);
    const needsQuorum = options.choice('no-quorum-policy') !== 'ignore';
    for (const loss of losses) {
      const quorum = 'resource' in loss || loss.quorum;
      const { outcome, why } = await this.preview.loss(of, caller, loss);
      yield lossOf({ outcome, why: quorum || !needsQuorum ? why : why.map(withoutQuorum) }, loss);
    }
  }

  /** Each resource that is active, on each node where it is. @throws {HttpProblem} 422 for one that is not */
  async #failures(
    of: Scheduled,
    resources: readonly string[] | undefined,
    nodes: ReadonlySet<string> | undefined,
    caller: Caller,
  ): Promise<Tries> {
    const active = activePlaces((await this.preview.past(of, caller)).resources);
    const idle = resources?.findIndex((name) => !active.some(({ resource }) => resource === name)) ?? -1;
    if (idle >= 0) {
      const detail = `${(resources?.[idle] ?? '').slice(0, 80)} is no primitive that is active: it can't fail`;
      throw new HttpProblem(422, 'invalid-argument', detail, { errors: [{ pointer: `/resources/${String(idle)}`, detail }] });
    }
    const isAsked = ({ resource, node }: Failure): boolean => (resources?.includes(resource) ?? true) && (nodes?.has(node) ?? true);
    return { losses: active.filter(isAsked), without: [] };
  }
}

/** What is tried. */
interface Tries {
  readonly losses: readonly (Loss | Failure)[];
  readonly without: readonly string[];
}

/** By the names of primitives, each place once. */
function activePlaces(resources: readonly ResourceSummary[]): readonly Failure[] {
  const places = new Map<string, Failure>();
  const look = ({ id, kind, children, activeOn }: ResourceSummary): void => {
    for (const child of children) look(child);
    if (kind !== 'primitive') return;
    const resource = primitiveIdOf(id);
    for (const node of activeOn) places.set(JSON.stringify([resource, node]), { resource, node });
  };
  for (const resource of resources) look(resource);
  return [...places.values()];
}

type By = LossesBy | { readonly by: 'resource'; readonly resources: readonly string[] | undefined };

function lossesBy({ by = 'node', attribute, resources }: ResilienceBody): By {
  if (resources !== undefined && by !== 'resource') {
    const detail = 'goes with by: resource';
    throw new HttpProblem(422, 'invalid-argument', `resources ${detail}`, { errors: [{ pointer: '/resources', detail }] });
  }
  if (by === 'attribute') {
    if (attribute !== undefined && attribute !== '') return { by, attribute };
    const detail = 'give the name of the node attribute';
    throw new HttpProblem(422, 'invalid-argument', detail, { errors: [{ pointer: '/attribute', detail }] });
  }
  if (attribute === undefined) return by === 'resource' ? { by, resources } : { by };
  const detail = 'goes with by: attribute';
  throw new HttpProblem(422, 'invalid-argument', `attribute ${detail}`, { errors: [{ pointer: '/attribute', detail }] });
}

function askedNodes(state: ClusterState, nodes: readonly string[] | undefined): ReadonlySet<string> | undefined {
  const absent = nodes?.findIndex((name) => memberOf(state, name)?.membership !== 'joined') ?? -1;
  if (absent < 0) return nodes === undefined ? undefined : new Set(nodes);
  const detail = `${(nodes?.[absent] ?? '').slice(0, 80)} is no node that has joined: it can't be lost`;
  throw new HttpProblem(422, 'invalid-argument', detail, { errors: [{ pointer: `/nodes/${String(absent)}`, detail }] });
}

function lossOf({ outcome, why }: LossWithReasons, loss: Loss | Failure): LossDto {
  const { quorum, unfenceable } = 'resource' in loss ? { quorum: true, unfenceable: undefined } : loss;
  const { nodes, failed, unnoticed, fenced, affected, unaffected, actions, plans } = outcome;
  const failure = { ...(failed === undefined ? {} : { failed }), ...(unnoticed === undefined ? {} : { unnoticed }) };
  const covered = unfenceable === undefined ? {} : { unfenceable };
  return { nodes, ...failure, quorum, fenced, ...covered, affected, unaffected, actions, ...(plans === undefined ? {} : { plans }), why };
}

/** Of what has a place, and is down all the same: that is for want of quorum. */
function withoutQuorum(placement: LossWithReasons['why'][number]): LossWithReasons['why'][number] {
  if (placement.node === undefined) return placement;
  return { ...placement, text: `there is no quorum any more, so it is started nowhere; with quorum: ${placement.text}` };
}

function pointsIn(losses: readonly LossDto[]): ResilienceDto['singlePointsOfFailure'] {
  return losses.flatMap(({ nodes, failed, affected }) => {
    const resources = affected.filter(isServiceLost).map(({ resource }) => resource);
    return resources.length === 0 ? [] : [{ nodes, ...(failed === undefined ? {} : { failed }), resources }];
  });
}

function isServiceLost({ effect }: Pick<LossOutcome['affected'][number], 'effect'>): boolean {
  return effect === 'down' || effect === 'demoted';
}
