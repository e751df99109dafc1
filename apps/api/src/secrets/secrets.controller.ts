import { Controller, Delete, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ClusterCommands, type ListedSecret } from '@systole/control-plane';
import { PostgresSecrets } from '@systole/control-plane-postgres';
import { ClusterStates } from '@systole/read-models';
import type { OperatorPrincipal } from '@systole/access';
import type { Response } from 'express';
import { Operator } from '../access/access.guard.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { refuseWhatIsThere } from '../http/conditions.js';
import { HttpProblem } from '../http/problem.js';
import { beginAfter, DEFAULT_PAGE, pageOf, placeCursor } from '../http/page.js';
import { rejectionProblem } from '../http/rejection-problem.js';
import { correlationId } from '../http/request-context.js';
import { attemptOf } from '../idempotency/idempotency.interceptor.js';
import { ApiProblems } from '../openapi/responses.js';
import { ClockWatch } from '../watches/clock-watch.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { receivedAs } from '../writes/received-request.js';
import { Write } from '../writes/write.js';
import { placesOf, requireSight } from '../reads/clear-secrets.js';
import { ErasedSecretDto, EraseSecretQuery, ListSecretsQuery, ReadSecretQuery, SecretDetailsDto, SecretListDto } from './secrets.dto.js';

/** The secrets that the server keeps for a cluster. They come with the configuration that they are written in. */
@ApiTags('secrets')
@Controller('v1/clusters/:cluster/secrets')
export class SecretsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly secrets: PostgresSecrets,
    private readonly states: ClusterStates,
    private readonly commands: ClusterCommands,
    private readonly clock: ClockWatch,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listSecrets',
    summary: 'List the secrets that the server keeps for a cluster',
    description: 'Whose they are, since when and by whom, and which were erased; never their values. What lies on nodes is not among them.',
  })
  @ApiOkResponse({ type: SecretListDto })
  @ApiProblems(400, 404)
  async list(@Param('cluster') cluster: string, @Query() query: ListSecretsQuery): Promise<SecretListDto> {
    const { id } = await this.lookup.find(cluster);
    const { limit = DEFAULT_PAGE } = query;
    const all = await this.secrets.list(id);
    const begin = beginAfter(
      query.cursor,
      all.map((secret) => secret.id),
    );
    return pageOf(all.slice(begin, begin + limit + 1), limit, (last) => placeCursor(begin + limit, last.id));
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getSecret',
    summary: 'Get a secret: whose it is, and where it is used',
    description: 'With its value for who may see it and asks for it (`secrets=clear`).',
  })
  @ApiOkResponse({ type: SecretDetailsDto })
  @ApiProblems(400, 403, 404)
  async get(
    @Param('cluster') cluster: string,
    @Param('id') id: string,
    @Query() query: ReadSecretQuery,
    @Operator() operator: OperatorPrincipal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SecretDetailsDto> {
    if (query.secrets === 'clear') requireSight(operator);
    const { id: clusterId } = await this.lookup.find(cluster);
    const secret = await this.#find(clusterId, id);
    const { cib } = await this.states.load(clusterId);
    const details = { ...secret, usedAt: placesOf(id, cib) };
    if (query.secrets !== 'clear') return details;
    response.set('cache-control', 'no-store');
    const value = (await this.secrets.some(clusterId, [id]))[id]?.value;
    return { ...details, ...(value === undefined ? {} : { value }) };
  }

  @Delete(':id')
  @Write({
    operationId: 'eraseSecret',
    summary: 'Erase a secret: its value is gone for good, for the past, too',
    description:
      'The key that opens it is deleted. A reference that still stands in the configuration stays, as a finding; what uses it fails from the next time on that it is started. What nodes were given they forget when they are given other actions for it, or are restarted.',
    restsOn: 'none',
    answer: { type: ErasedSecretDto },
  })
  async erase(
    @Param('cluster') cluster: string,
    @Param('id') id: string,
    @Query() query: EraseSecretQuery,
    @Asking() { operator, request }: AskedBy,
  ): Promise<ErasedSecretDto> {
    const received = receivedAs(request, this.clock);
    const { id: clusterId } = await this.lookup.find(cluster);
    const secret = await this.#find(clusterId, id);
    refuseWhatIsThere(request);
    const attempt = attemptOf(request);
    const { cib, version } = await this.states.load(clusterId);
    const usedAt = placesOf(id, cib);
    if (secret.erased !== undefined && attempt?.repeated !== true) throw erasedBefore(id);
    if (query.dryRun === true) return { dryRun: true, version, erased: secret, usedAt };
    const { owner, parameter } = secret;
    const { reason } = query;
    const result = await this.commands.execute(
      clusterId,
      { type: 'erase-secret', secret: id, owner, parameter, ...(reason === undefined ? {} : { reason }) },
      {
        actor: operator.actor,
        correlationId: correlationId(request),
        received,
        ...(attempt === undefined ? {} : { request: attempt }),
        within: async ({ secrets }) => {
          if (!(await secrets.erase(clusterId, id, operator.actor))) throw erasedBefore(id);
        },
      },
    );
    if (!result.ok) throw rejectionProblem(result.rejection);
    return { dryRun: false, version: result.version, erased: await this.#find(clusterId, id), usedAt };
  }

  /** @throws {HttpProblem} 404 */
  async #find(clusterId: string, id: string): Promise<ListedSecret> {
    const secret = (await this.secrets.list(clusterId)).find((listed) => listed.id === id);
    if (secret !== undefined) return secret;
    const detail = `this cluster has no secret ${id.slice(0, 100)}: see GET …/secrets`;
    throw new HttpProblem(404, 'secret-not-found', detail, { errors: [{ parameter: 'id', detail }] });
  }
}

function erasedBefore(id: string): HttpProblem {
  const detail = `the secret ${id.slice(0, 100)} was erased before`;
  return new HttpProblem(409, 'secret-erased', detail, { errors: [{ parameter: 'id', detail }] });
}
