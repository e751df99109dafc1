import {
  IssuerUnreachable,
  looksLikeUser,
  UserRefused,
  type AccessTokens,
  type HeldToken,
  type OidcUsers,
  type Principal,
} from '@systole/access';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { RequestAudit } from '../audit/request-audit.js';
import type { ConnectionTable } from '../http/connection-table.js';
import { HttpProblem } from '../http/problem.js';
import type { HttpMetrics } from '../metrics/http-metrics.js';
import type { OpenRequests } from './open-requests.js';
import type { ClientCertificates } from '../tls/client-certificates.js';
import { retryAfter, type RequestRates } from './request-rates.js';

/** RFC 6750 §2.1; longer ones are nobody's: of a provider's tokens few have more than 4 KiB. */
const BEARER = /^Bearer ([A-Za-z0-9\-._~+/]{1,8192}=*)$/i;

/**
 * Finds out who asks, before anything of the body is read: whoever has no token makes the server do no work. Roles are checked later, by the
 * handler's own declaration.
 */
export function authentication(doorkeeping: Doorkeeping) {
  return (request: Request, response: Response, next: NextFunction): void => {
    admit(doorkeeping, request, request.baseUrl + request.path, response).then(() => {
      next();
    }, next);
  };
}

/** Whoever asks whether this server lives must be told so, however much others behind the same address ask. */
const HEALTH = /^\/health\//;

/**
 * Bounds how often an address asks without a token, before anything else is done for it: above that it is refused in as few words as will do, and the connection
 * closed, so that neither a body nor further requests on it are read.
 */
export function withoutToken(
  rates: RequestRates,
  metrics: Pick<HttpMetrics, 'refused'>,
  audit: Pick<RequestAudit, 'refused'>,
): RequestHandler {
  return (request, response, next): void => {
    const waitMs =
      secretOf(request) !== undefined || HEALTH.test(request.path)
        ? 0
        : rates.withoutToken(request.ip ?? '', isPreflight(request) ? undefined : request.path);
    if (waitMs === 0) {
      next();
      return;
    }
    metrics.refused(TOO_MANY.code);
    audit.refused(request, TOO_MANY);
    response
      .writeHead(TOO_MANY.status, { ...retryAfter(waitMs), ...TOO_MANY.headers, 'content-type': 'application/problem+json' })
      .end(JSON.stringify(TOO_MANY.document(request.path)));
  };
}

/** What a browser asks before a page of another origin may send something: without the page's token. */
function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

const TOO_MANY = new HttpProblem(429, 'too-many-requests', 'this address asks too often without a token: send one, or ask less often', {
  headers: { connection: 'close', 'cache-control': 'no-store' },
});

/** Lets a request in, as that of the one whose token it brings. @param path what it asks for @throws {HttpProblem} 401, 403, 429 */
export async function admit(doorkeeping: Doorkeeping, request: IncomingMessage, path: string, response: ServerResponse): Promise<void> {
  const { rates, open, connections } = doorkeeping;
  const { principal, endsAt } = await identify(doorkeeping, request);
  request.principal = principal;
  connections.noteToken(request.socket);
  rates.admit(principal, path, response);
  if (endsAt === undefined) open.add(principal.tokenId, response);
  else open.addUntil(endsAt, response);
}

/** Of so many connections it is found out at a time whether they show a token that lets them in: what wrong tokens ask of the database must not grow with who asks. Of others it is found out with a later request. */
const MOST_LOOKED_FOR = 16;

/**
 * Finds out of what is passed on to another thread, which answers it, whether it shows a token that lets it in: once for each connection, as this thread has
 * the connections. Nothing waits for that, and wrong tokens are counted where they are answered.
 */
export function tokensPassedOn(doorkeeping: Doorkeeping): RequestHandler {
  const { connections } = doorkeeping;
  const looking = new Set<Socket>();
  return (request, _, next): void => {
    next();
    const { socket } = request;
    if (connections.isKnown(socket) || looking.has(socket) || looking.size >= MOST_LOOKED_FOR) return;
    const secret = secretOf(request);
    if (secret === undefined) return;
    looking.add(socket);
    isLetIn(doorkeeping, request, secret)
      .then(
        (isIn) => {
          if (isIn) connections.noteToken(socket);
        },
        () => undefined,
      )
      .finally(() => looking.delete(socket))
      .catch(() => undefined);
  };
}

/** @throws whatever is against it, or keeps it from being found out */
async function isLetIn({ tokens, users, certificates }: Doorkeeping, request: IncomingMessage, secret: string): Promise<boolean> {
  if (users !== undefined && looksLikeUser(secret)) {
    await users.verify(secret);
    return true;
  }
  const token = await tokens.find(secret);
  if (token === undefined) return false;
  const principal = principalOf(token);
  if (principal.kind === 'agent') certificates.check(principal, request);
  return true;
}

/** What decides who gets in. */
export interface Doorkeeping {
  readonly tokens: AccessTokens;
  /** Users of an OpenID provider; undefined: there is none. */
  readonly users: OidcUsers | undefined;
  readonly rates: RequestRates;
  readonly open: OpenRequests;
  /** Which connections to this thread have shown a token. */
  readonly connections: Pick<ConnectionTable, 'noteToken' | 'isKnown'>;
  /** By which agents show that they are on their node. */
  readonly certificates: ClientCertificates;
  /** Whence a request comes, by what the proxies before this server are trusted to say. */
  readonly addressOf: (request: IncomingMessage) => string;
}

/** Who asks, and until when a token is good that says so itself. */
interface Identified {
  readonly principal: Principal;
  readonly endsAt?: number;
}

async function identify({ tokens, users, rates, addressOf, certificates }: Doorkeeping, request: IncomingMessage): Promise<Identified> {
  const { authorization } = request.headers;
  if (authorization === undefined) throw unauthenticated('a token is needed: send `Authorization: Bearer <token>`');
  const secret = secretOf(request);
  if (secret === undefined) throw unauthenticated('the Authorization header holds no bearer token', 'invalid_request');
  if (users !== undefined && looksLikeUser(secret)) {
    return users.verify(secret).catch((error: unknown) => {
      if (error instanceof UserRefused && error.who !== undefined) request.claimant = error.who;
      if (error instanceof UserRefused && error.why === 'token') rates.wrongToken(addressOf(request));
      throw userProblem(error);
    });
  }
  const token = await tokens.find(secret);
  if (token === undefined) {
    const ended = await tokens.findEnded(secret);
    // Not counted, nor bounded by any rate that others can use up, with wrong tokens or with a stolen copy of this one: an agent that does not hear that it was revoked goes on running what is another's by now.
    if (ended !== undefined) throw isInContainer(ended) ? ENDED_WITH_CONTAINER : ENDED;
    rates.wrongToken(addressOf(request));
    throw unauthenticated(NOT_VALID, 'invalid_token');
  }
  const principal = principalOf(token);
  request.claimant = principal;
  if (principal.kind === 'agent') certificates.check(principal, request);
  return { principal };
}

/** A user who is not let in is told which check failed. */
function userProblem(error: unknown): unknown {
  if (error instanceof IssuerUnreachable) {
    return new HttpProblem(503, 'issuer-unreachable', `nobody can tell whether the user's token is valid: ${error.message}`, {
      headers: { 'retry-after': '5' },
      cause: error,
    });
  }
  if (!(error instanceof UserRefused)) return error;
  return error.why === 'token' ? unauthenticated(error.message, 'invalid_token') : new HttpProblem(403, 'no-role', error.message);
}

/** The bearer token that a request brings; undefined when it brings none that could be one. */
export function secretOf({ headers: { authorization } }: IncomingMessage): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

function principalOf(token: HeldToken): Principal {
  if (token.role === 'agent') {
    const { id, clusterId, node, container } = token;
    const place = container === undefined ? {} : { inContainer: true as const };
    return { kind: 'agent', tokenId: id, clusterId, node, actor: `agent:${node}`, ...place };
  }
  const { id: tokenId, role, name, clusters, seesSecrets } = token;
  return { kind: 'operator', role, tokenId, actor: `user:${name}`, seesSecrets, ...(clusters === undefined ? {} : { clusters }) };
}

function isInContainer(token: HeldToken): boolean {
  return token.role === 'agent' && token.container !== undefined;
}

function unauthenticated(detail: string, error?: string): HttpProblem {
  return new HttpProblem(401, 'unauthenticated', detail, { headers: challenge(error) });
}

/** The same words for all: they tell a guesser nothing. */
const NOT_VALID = 'the token is unknown, has ended, or was revoked';

/** Whoever goes on all the same needs a connection for each, and of these an address has few. */
const ENDED_HEADERS = { ...challenge('invalid_token'), connection: 'close' };

const ENDED = new HttpProblem(401, 'unauthenticated', NOT_VALID, { headers: ENDED_HEADERS });

/** Its host may have been frozen while what ran in it was started elsewhere: a 401 alone would be waited out, with all of that running. */
const ENDED_WITH_CONTAINER = new HttpProblem(
  401,
  'declared-down',
  'the token was for an agent in a container that has ended for the cluster: what ran in it may run elsewhere by now',
  { headers: ENDED_HEADERS },
);

function challenge(error: string | undefined): Readonly<Record<string, string>> {
  return { 'www-authenticate': error === undefined ? 'Bearer realm="systole"' : `Bearer realm="systole", error="${error}"` };
}
