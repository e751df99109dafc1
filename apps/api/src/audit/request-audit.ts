import type { IncomingMessage, ServerResponse } from 'node:http';
import { NOBODY, networkOf, type Asked, type AuditLog, type Principal } from '@systole/access';
import type { AppendMeta } from '@systole/event-store';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import type { HttpProblem } from '../http/problem.js';
import { correlationId, whenClosed, wholePathOf } from '../http/request-context.js';

/** Refused for who asks, or for how often; what is wrong with a request is no business of the audit. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);
/** Told of a cluster that is not there, and of one that whoever asks may not see. */
const HIDDEN = 'cluster-not-found';

/** What a reader of configurations may find secrets in, and of which cluster. */
const SECRETS = /^\/v1\/clusters\/([^/]+)\/(cib|configuration|diff|events|transitions|resources\/[^/]+\/history)(?:\/|$)/;
const ALL_SECRETS = /^\/v1\/(audit|events|evidence\/export)(?:\/|$)/;
const CLUSTER = /^\/v1\/clusters\/([^/]+)/;

/** Operations that are sent with a body and change nothing. By their ids: a path may end in anything, as attributes have any name. */
const TRIALS: ReadonlySet<string> = new Set(['simulate', 'whatIf', 'tryLosses']);
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Longest text of a stranger's that is told. */
const MOST_TEXT = 200;

/** Tells the audit what was asked of the server, and by whom. It costs an answer nothing. */
export class RequestAudit {
  /** @param addressOf whence a request comes, by what the proxies before this server are trusted to say */
  constructor(
    private readonly log: AuditLog,
    private readonly addressOf: (request: IncomingMessage) => string,
    private readonly processLog: Pick<Logger, 'debug'>,
  ) {}

  /** A request was refused: the only place at which that is heard, for the audit and for the process's log. */
  refused(request: IncomingMessage, { status, code, message }: Pick<HttpProblem, 'status' | 'code' | 'message'>): void {
    if (!REFUSALS.has(status) && code !== HIDDEN) return;
    const { principal, claimant } = request;
    const who = principal ?? claimant;
    const asked = { ...this.#asked(request, principal, status), ...(who === undefined ? {} : { tokenId: who.tokenId }) };
    this.processLog.debug({ ...asked, actor: who?.actor, code, detail: message }, 'a request was refused');
    const kind = `${String(status)} ${code} ${who?.tokenId ?? networkOf(asked.address)}`;
    this.log.noteRepeated(kind, { type: 'RequestRefused', data: { ...asked, problem: code } }, metaOf(request, who, 'refuse'));
  }

  /** Hears how the requests of operators are answered. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const { principal } = request;
    if (principal?.kind === 'operator') {
      whenClosed(response, () => {
        if (response.headersSent && response.statusCode < 400) this.#answered(request, response, principal);
      });
    }
    next();
  };

  #answered(request: Request, { statusCode }: ServerResponse, principal: Principal): void {
    const { method } = request;
    const path = wholePathOf(request);
    if (READS.has(method)) {
      if (request.query['secrets'] === 'clear') {
        this.log.note(
          { type: 'SecretsRead', data: this.#asked(request, principal, statusCode) },
          metaOf(request, principal, 'read-secrets'),
        );
        return;
      }
      const [, cluster = '', part] = SECRETS.exec(path) ?? ['', '', ALL_SECRETS.exec(path)?.[1]];
      if (part === undefined) return;
      const asked = this.#asked(request, principal, statusCode);
      const kind = `read ${principal.tokenId} ${cluster} ${part.split('/')[0] ?? ''} ${asked.address}`;
      this.log.noteRepeated(kind, { type: 'ConfigurationRead', data: asked }, metaOf(request, principal, 'read'));
      return;
    }
    if (method === 'OPTIONS' || TRIALS.has(request.operationId ?? '') || request.query['dryRun'] === 'true') return;
    const asked = this.#asked(request, principal, statusCode);
    this.log.note({ type: 'RequestCarriedOut', data: asked }, metaOf(request, principal, 'carry-out'));
  }

  #asked(request: IncomingMessage, principal: Principal | undefined, status: number): Asked {
    const path = wholePathOf(request);
    const cluster = CLUSTER.exec(path)?.[1];
    return {
      method: request.method ?? '',
      path: told(path),
      status,
      address: this.addressOf(request),
      ...(principal === undefined ? {} : { tokenId: principal.tokenId }),
      ...(principal?.kind === 'agent'
        ? { cluster: principal.clusterId }
        : cluster === undefined
          ? {}
          : { cluster: told(decoded(cluster)) }),
    };
  }
}

function metaOf(request: IncomingMessage, who: Pick<Principal, 'actor'> | undefined, command: string): AppendMeta {
  const id = correlationId(request);
  return { actor: who?.actor ?? NOBODY, command, correlationId: id === '' ? 'unknown' : id };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** As the log can hold it, and no longer than is of use. */
function told(text: string): string {
  return text.replaceAll('\0', '\uFFFD').slice(0, MOST_TEXT).toWellFormed();
}
