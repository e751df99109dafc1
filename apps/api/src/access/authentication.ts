import type { AccessToken, AccessTokens, Principal } from '@systole/access';
import type { NextFunction, Request, Response } from 'express';
import { HttpProblem } from '../http/problem.js';
import type { OpenRequests } from './open-requests.js';
import type { RequestRates } from './request-rates.js';

/** RFC 6750 §2.1; longer ones are nobody's. */
const BEARER = /^Bearer ([A-Za-z0-9\-._~+/]{1,512}=*)$/i;

/**
 * Finds out who asks, before anything of the body is read: whoever has no token makes the server do no work. Roles are checked later, by the
 * handler's own declaration.
 */
export function authentication(doorkeeping: Doorkeeping) {
  return (request: Request, response: Response, next: NextFunction): void => {
    admit(doorkeeping, request, response).then(() => {
      next();
    }, next);
  };
}

/** Lets a request in, as that of the one whose token it brings. @throws {HttpProblem} 401, 429 */
export async function admit({ tokens, rates, open }: Doorkeeping, request: Request, response: Response): Promise<void> {
  const principal = await identify(tokens, rates, request);
  rates.admit(principal, request, response);
  open.add(principal.tokenId, response);
  request.principal = principal;
}

/** What decides who gets in. */
export interface Doorkeeping {
  readonly tokens: AccessTokens;
  readonly rates: RequestRates;
  readonly open: OpenRequests;
}

async function identify(tokens: AccessTokens, rates: RequestRates, request: Request): Promise<Principal> {
  const { authorization } = request.headers;
  if (authorization === undefined) throw unauthenticated('a token is needed: send `Authorization: Bearer <token>`');
  const secret = BEARER.exec(authorization)?.[1];
  if (secret === undefined) throw unauthenticated('the Authorization header holds no bearer token', 'invalid_request');
  const token = await tokens.find(secret);
  if (token === undefined) {
    rates.wrongToken(request.ip ?? '');
    throw unauthenticated('the token is unknown, or was revoked', 'invalid_token');
  }
  return principalOf(token);
}

function principalOf(token: AccessToken): Principal {
  if (token.role === 'agent') {
    const { id, clusterId, node } = token;
    return { kind: 'agent', tokenId: id, clusterId, node, actor: `agent:${node}` };
  }
  return { kind: 'operator', role: token.role, tokenId: token.id, actor: `user:${token.name}` };
}

function unauthenticated(detail: string, error?: string): HttpProblem {
  return new HttpProblem(401, 'unauthenticated', detail, {
    headers: { 'www-authenticate': error === undefined ? 'Bearer realm="systole"' : `Bearer realm="systole", error="${error}"` },
  });
}
