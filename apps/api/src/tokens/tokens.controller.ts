import { randomUUID } from 'node:crypto';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AccessTokens, type AccessToken, type TokenHolder } from '@systole/access';
import { Needs, Operator } from '../access/access.guard.js';
import type { OperatorPrincipal } from '@systole/access';
import type { Request, Response } from 'express';
import { ClusterLookup } from '../clusters/cluster-lookup.js';
import { PageQuery } from '../clusters/clusters.dto.js';
import { DEFAULT_PAGE, pageOf } from '../http/page.js';
import { HttpProblem, type ProblemIssue } from '../http/problem.js';
import { correlationId } from '../http/request-context.js';
import { ApiIdempotencyKey, requestId } from '../idempotency/idempotency.interceptor.js';
import { ApiProblems } from '../openapi/responses.js';
import { CreatedTokenDto, CreateTokenBody, TokenListDto, TokenPreviewDto, TokenWriteQuery } from './tokens.dto.js';

/** With an Idempotency-Key the id follows from the request: an earlier attempt made the token, and its process died before it could answer. */
function tokenMadeBefore(id: string): HttpProblem {
  const detail = `this request has made the token ${id}, but its answer was lost, and nobody can show the secret again: revoke that token, and make another one with a new Idempotency-Key`;
  return new HttpProblem(409, 'token-made-before', detail, { extensions: { tokenId: id } });
}

function tokenNotFound(id: string): HttpProblem {
  return new HttpProblem(404, 'token-not-found', `there is no token ${id.slice(0, 80)}`);
}

function previewOf(token: AccessToken): TokenPreviewDto {
  const place = token.role === 'agent' ? { clusterId: token.clusterId, node: token.node } : {};
  return { dryRun: true, role: token.role, name: token.name, ...place };
}

/** Who may do what: bearer tokens. */
@ApiTags('tokens')
@Needs('admin')
@Controller('v1/tokens')
export class TokensController {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly lookup: ClusterLookup,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiOperation({
    operationId: 'createToken',
    summary: 'Make a token; its secret is shown this once',
    description: 'For an operator, viewer or administrator, or for the agent of one node.',
  })
  @ApiIdempotencyKey()
  @ApiCreatedResponse({ type: CreatedTokenDto })
  @ApiOkResponse({ type: TokenPreviewDto, description: 'Of a dry run.' })
  @ApiProblems(400, 404, 409, 422)
  async create(
    @Query() query: TokenWriteQuery,
    @Body() body: CreateTokenBody,
    @Operator() operator: OperatorPrincipal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CreatedTokenDto | TokenPreviewDto> {
    if (query.dryRun === true) {
      const holder = await this.#holder(body);
      response.status(200);
      return { dryRun: true, name: body.name, ...holder };
    }
    const id = requestId(request) ?? randomUUID();
    const made = await this.tokens.createOnce(id, await this.#holder(body), body.name, {
      actor: operator.actor,
      correlationId: correlationId(request),
    });
    if (made === undefined) throw tokenMadeBefore(id);
    return { ...made.token, secret: made.secret };
  }

  @Get()
  @ApiOperation({
    operationId: 'listTokens',
    summary: 'List the tokens that were not revoked',
    description: 'Without their secrets, of which only hashes are kept.',
  })
  @ApiOkResponse({ type: TokenListDto })
  @ApiProblems(400)
  async list(@Query() query: PageQuery): Promise<TokenListDto> {
    const limit = query.limit ?? DEFAULT_PAGE;
    const read = await this.tokens.list({ limit: limit + 1, ...(query.cursor === undefined ? {} : { afterId: query.cursor }) });
    return pageOf(read, limit, (last) => last.id);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'revokeToken',
    summary: 'Revoke a token, at once',
    description: 'Requests that are under way with it are ended, too.',
  })
  @ApiIdempotencyKey()
  @ApiNoContentResponse()
  @ApiOkResponse({ type: TokenPreviewDto, description: 'Of a dry run.' })
  @ApiProblems(400, 404, 409, 422)
  async revoke(
    @Param('id') id: string,
    @Query() query: TokenWriteQuery,
    @Operator() operator: OperatorPrincipal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TokenPreviewDto | undefined> {
    if (id === operator.tokenId) {
      throw new HttpProblem(409, 'own-token', 'a token cannot revoke itself: use another admin token, so that one is left');
    }
    if (query.dryRun === true) {
      const token = await this.tokens.get(id);
      if (token === undefined) throw tokenNotFound(id);
      response.status(200);
      return previewOf(token);
    }
    const by = { actor: operator.actor, correlationId: correlationId(request) };
    if (!(await this.tokens.revoke(id, by))) throw tokenNotFound(id);
    return undefined;
  }

  async #holder({ role, cluster, node }: CreateTokenBody): Promise<TokenHolder> {
    const places = { cluster, node };
    const issues = (['cluster', 'node'] as const).flatMap((name): ProblemIssue[] => {
      const given = places[name] !== undefined;
      if (given === (role === 'agent')) return [];
      return [{ pointer: `/${name}`, detail: role === 'agent' ? 'is needed for an agent' : `must be left out for the role ${role}` }];
    });
    const [first] = issues;
    if (first !== undefined) {
      throw new HttpProblem(422, 'invalid-request', `${first.pointer ?? ''} ${first.detail}`, { errors: issues });
    }
    if (role !== 'agent') return { role };
    const { id } = await this.lookup.find(cluster ?? '');
    return { role, clusterId: id, node: node ?? '' };
  }
}
