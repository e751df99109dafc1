import { randomUUID } from 'node:crypto';
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AccessTokens, TokenNameTaken, type AccessToken, type TokenHolder } from '@systole/access';
import type { OperatorPrincipal } from '@systole/access';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { PageQuery } from '../http/page-query.js';
import { refuseWhatIsThere } from '../http/conditions.js';
import { DEFAULT_PAGE, pageOf } from '../http/page.js';
import { HttpProblem, type ProblemIssue } from '../http/problem.js';
import { correlationId } from '../http/request-context.js';
import { requestId } from '../idempotency/idempotency.interceptor.js';
import { ApiProblems } from '../openapi/responses.js';
import { ClockWatch } from '../watches/clock-watch.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { because } from '../writes/reason-body.js';
import { Write } from '../writes/write.js';
import {
  CreatedTokenDto,
  CreateTokenBody,
  RevokeTokenQuery,
  TokenDto,
  TokenListDto,
  TokenPreviewDto,
  TokenWriteQuery,
} from './tokens.dto.js';

/** With an Idempotency-Key the id follows from the request: an earlier attempt made the token, and its process died before it could answer. */
function tokenMadeBefore(id: string): HttpProblem {
  const detail = `this request has made the token ${id}, but its answer was lost, and nobody can show the secret again: revoke that token, and make another one with a new Idempotency-Key`;
  return new HttpProblem(409, 'token-made-before', detail, { extensions: { tokenId: id } });
}

function tokenNotFound(id: string): HttpProblem {
  return new HttpProblem(404, 'token-not-found', `there is no token ${id.slice(0, 80)}`);
}

function nameTaken(name: string): HttpProblem {
  return new HttpProblem(409, 'token-name-taken', new TokenNameTaken(name).message);
}

function rightNotHeld(why: string): HttpProblem {
  return new HttpProblem(403, 'right-not-held', `${why}: ask an administrator who may`);
}

function previewOf({ id: _, createdBy: __, createdAt: ___, ...token }: AccessToken): TokenPreviewDto {
  return { dryRun: true, ...token };
}

/** What belongs to an agent's token only, and what to all others only. */
const OF_AGENTS = ['cluster', 'node'] as const;
const OF_OTHERS = ['clusters', 'seesSecrets', 'expiresAt'] as const;

/** @throws {HttpProblem} 422 for what does not go with the role */
function checkFields(body: CreateTokenBody): void {
  const isAgent = body.role === 'agent';
  const missing = OF_AGENTS.filter((name) => isAgent && body[name] === undefined).map((name): ProblemIssue => ({
    pointer: `/${name}`,
    detail: 'is needed for an agent',
  }));
  const surplus = (isAgent ? OF_OTHERS : OF_AGENTS)
    .filter((name) => body[name] !== undefined)
    .map((name): ProblemIssue => ({ pointer: `/${name}`, detail: `must be left out for the role ${body.role}` }));
  const errors = [...missing, ...surplus];
  const [first] = errors;
  if (first !== undefined) throw new HttpProblem(422, 'invalid-request', `${first.pointer ?? ''} ${first.detail}`, { errors });
}

/** @throws {HttpProblem} 422 for what is over */
function endOf({ expiresAt }: CreateTokenBody, now: number): { readonly expiresAt?: string } {
  if (expiresAt === undefined) return {};
  const end = Date.parse(expiresAt);
  // Also what is no moment at all.
  if (end > now) return { expiresAt: new Date(end).toISOString() };
  const detail = 'must be a moment to come';
  throw new HttpProblem(422, 'invalid-request', `/expiresAt ${detail}`, { errors: [{ pointer: '/expiresAt', detail }] });
}

/** Who may do what: bearer tokens. */
@ApiTags('tokens')
@Controller('v1/tokens')
export class TokensController {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly lookup: ClusterLookup,
    private readonly clock: ClockWatch,
  ) {}

  @Post()
  @Write({
    operationId: 'createToken',
    summary: 'Make a token; its secret is shown this once',
    description: 'For an operator, viewer or administrator, or for the agent of one node.',
    restsOn: 'none',
    answer: { status: 201, type: CreatedTokenDto },
    dryRun: TokenPreviewDto,
    refusals: [404],
  })
  async create(
    @Query() query: TokenWriteQuery,
    @Body() body: CreateTokenBody,
    @Asking() { operator, request, response }: AskedBy,
  ): Promise<CreatedTokenDto | TokenPreviewDto> {
    const holder = await this.#holder(body, operator);
    if (query.dryRun === true) {
      if (holder.role !== 'agent' && (await this.tokens.isNameTaken(body.name))) throw nameTaken(body.name);
      response.status(200);
      return { dryRun: true, name: body.name, ...holder };
    }
    const id = requestId(request) ?? randomUUID();
    const made = await this.tokens.createOnce(id, holder, body.name, {
      ...{ actor: operator.actor, correlationId: correlationId(request) },
      ...because(body),
    });
    if (made === 'made-before') throw tokenMadeBefore(id);
    if (made === 'name-taken') throw nameTaken(body.name);
    request.log.info({ token: { id, role: made.token.role, name: made.token.name }, by: operator.actor }, 'a token was made');
    response.set('location', `/v1/tokens/${id}`);
    return { ...made.token, secret: made.secret };
  }

  @Get()
  @ApiOperation({
    operationId: 'listTokens',
    summary: 'List the tokens that are valid',
    description: 'Without their secrets, of which only hashes are kept.',
  })
  @ApiOkResponse({ type: TokenListDto })
  @ApiProblems(400)
  async list(@Query() query: PageQuery): Promise<TokenListDto> {
    const limit = query.limit ?? DEFAULT_PAGE;
    const read = await this.tokens.list({ limit: limit + 1, ...(query.cursor === undefined ? {} : { afterId: query.cursor }) });
    return pageOf(read, limit, (last) => last.id);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getToken',
    summary: 'Get a token that is valid',
    description: 'Without its secret, of which only a hash is kept. One that was revoked, or has ended, is not there.',
  })
  @ApiOkResponse({ type: TokenDto })
  @ApiProblems(404)
  async get(@Param('id') id: string): Promise<TokenDto> {
    const token = await this.tokens.get(id);
    if (token === undefined) throw tokenNotFound(id);
    return token;
  }

  @Delete(':id')
  @Write({
    operationId: 'revokeToken',
    summary: 'Revoke a token, at once',
    description: 'Requests that are under way with it are ended, too.',
    restsOn: 'none',
    answer: { status: 204 },
    dryRun: TokenPreviewDto,
  })
  async revoke(
    @Param('id') id: string,
    @Query() query: RevokeTokenQuery,
    @Asking() { operator, request, response }: AskedBy,
  ): Promise<TokenPreviewDto | undefined> {
    if (id === operator.tokenId) {
      throw new HttpProblem(409, 'own-token', 'a token cannot revoke itself: use another admin token, so that one is left');
    }
    const token = await this.tokens.get(id);
    if (token !== undefined) refuseWhatIsThere(request);
    if (query.dryRun === true) {
      if (token === undefined) throw tokenNotFound(id);
      response.status(200);
      return previewOf(token);
    }
    const revoked = await this.tokens.revoke(id, {
      ...{ actor: operator.actor, correlationId: correlationId(request) },
      ...because(query),
    });
    if (revoked === undefined) throw tokenNotFound(id);
    request.log.info({ token: { id, role: revoked.role, name: revoked.name }, by: operator.actor }, 'a token was revoked');
    return undefined;
  }

  async #holder(body: CreateTokenBody, operator: OperatorPrincipal): Promise<TokenHolder> {
    checkFields(body);
    const { role, cluster, node, clusters, seesSecrets = false } = body;
    if (role === 'agent') {
      // Whoever holds it joins as that node, and is told the secrets of what is probed there.
      if (!operator.seesSecrets)
        throw rightNotHeld('an agent is told the secrets of its cluster: a token that may not see secrets makes none of an agent');
      const { id } = await this.lookup.find(cluster ?? '');
      return { role, clusterId: id, node: node ?? '' };
    }
    if (seesSecrets && !operator.seesSecrets) throw rightNotHeld('a token that may not see secrets makes none that may');
    return {
      role,
      seesSecrets,
      ...endOf(body, this.clock.now()),
      ...(clusters === undefined ? {} : { clusters: await this.#idsOf(clusters) }),
    };
  }

  /** @throws {HttpProblem} 404 when there is no such cluster, 422 for none at all */
  async #idsOf(clusters: readonly string[]): Promise<readonly string[]> {
    if (clusters.length === 0) {
      const detail = 'must name a cluster, or be left out for all';
      throw new HttpProblem(422, 'invalid-request', `/clusters ${detail}`, { errors: [{ pointer: '/clusters', detail }] });
    }
    const entries = await Promise.all([...new Set(clusters)].map((cluster) => this.lookup.find(cluster)));
    return [...new Set(entries.map(({ id }) => id))];
  }
}
