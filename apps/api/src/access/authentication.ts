import type { AccessToken, AccessTokens } from '@systole/read-models';
import type { NextFunction, Request, Response } from 'express';
import { HttpProblem } from '../http/problem.js';
import type { Principal } from './principal.js';

/** RFC 6750 §2.1; longer ones are nobody's. */
const BEARER = /^Bearer ([A-Za-z0-9\-._~+/]{1,512}=*)$/i;

/**
 * Finds out who asks, before anything of the body is read: whoever has no token makes the server do no work. Roles are checked later, by the
 * handler's own declaration.
 */
export function authentication(tokens: AccessTokens) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    identify(tokens, request.headers.authorization).then((principal) => {
      request.principal = principal;
      next();
    }, next);
  };
}

async function identify(tokens: AccessTokens, authorization: string | undefined): Promise<Principal> {
  if (authorization === undefined) throw unauthenticated('a token is needed: send `Authorization: Bearer <token>`');
  const secret = BEARER.exec(authorization)?.[1];
  if (secret === undefined) throw unauthenticated('the Authorization header holds no bearer token', 'invalid_request');
  const token = await tokens.find(secret);
  if (token === undefined) throw unauthenticated('the token is unknown, or was revoked', 'invalid_token');
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
