import { Agent, request, type Dispatcher } from 'undici';
import type { TlsMaterial } from '@systole/certificates';
import type { Answer, Message } from '@systole/node-session';
import {
  parseAlertsAnswer,
  parseInstalledAgentsAnswer,
  parseJoinAnswer,
  parsePollAnswer,
  parseResultsAnswer,
  type AgentDescriptionRequest,
  type AlertsAnswer,
  type AlertsRequest,
  type AttributeChange,
  type InstalledAgentsAnswer,
  type InstalledAgentsRequest,
} from '@systole/protocol';

/** The server could not be reached, did not answer in time, or is overloaded (5xx, 429): try again. */
export class ServerUnavailable extends Error {
  override readonly name = 'ServerUnavailable';
  /** Of its answer, when there was one. */
  readonly statusCode: number | undefined;
  /** How long the server wants to be left alone with this, ms; 0 when it did not say. */
  readonly retryAfterMs: number;

  constructor(message: string, options: ErrorOptions & { readonly statusCode?: number; readonly retryAfterMs?: number } = {}) {
    super(message, options);
    this.statusCode = options.statusCode;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

/** The server refuses: repeating the same request will not help. */
export class ServerRefused extends Error {
  override readonly name = 'ServerRefused';

  constructor(
    readonly statusCode: number,
    /** `type` of the problem document, if it is one. */
    readonly problemType: string,
    detail: string,
    /** JSON pointers of its errors. */
    readonly places: readonly string[] = [],
  ) {
    super(`the server refused with ${statusCode}: ${detail}`);
  }
}

const REQUEST_TIMEOUT_MS = 10_000;
const MAX_PROBLEM_CHARS = 500;
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;

/** The servers' agent API; `url` is always that of the server to ask. Every method throws {@link ServerUnavailable}, {@link ServerRefused} or ProtocolError. */
export class ServerConnection {
  private dispatcher: Agent;

  /** @param tls by which servers are verified, and what they are shown */
  constructor(
    private readonly token: string,
    tls: TlsMaterial = {},
  ) {
    this.dispatcher = dispatcherWith(tls);
  }

  /** Uses other certificates from now on; what is under way ends on the connections that it has. */
  use(tls: TlsMaterial): void {
    const before = this.dispatcher;
    this.dispatcher = dispatcherWith(tls);
    before.close().catch(() => undefined);
  }

  async ask(url: string, message: Message, timeoutMs: number, signal: AbortSignal): Promise<Answer> {
    const answer = await this.post(url, message.kind, message.body, timeoutMs, signal);
    switch (message.kind) {
      case 'join':
        return { kind: 'join', join: parseJoinAnswer(answer) };
      case 'poll':
        return { kind: 'poll', poll: parsePollAnswer(answer) };
      case 'results':
        return { kind: 'results', ...parseResultsAnswer(answer) };
      case 'shutdown':
      case 'leave':
        return { kind: 'done' };
    }
  }

  async attributes(url: string, incarnation: number, changes: readonly AttributeChange[], signal?: AbortSignal): Promise<void> {
    await this.post(url, 'attributes', { incarnation, changes }, REQUEST_TIMEOUT_MS, signal);
  }

  /** Says which resource and fence agents the node has. */
  async installedAgents(url: string, request: InstalledAgentsRequest, signal?: AbortSignal): Promise<InstalledAgentsAnswer> {
    return parseInstalledAgentsAnswer(await this.post(url, 'installed-agents', request, REQUEST_TIMEOUT_MS, signal));
  }

  /** Says what one of them says about itself. */
  async describeAgent(url: string, request: AgentDescriptionRequest, signal?: AbortSignal): Promise<void> {
    await this.post(url, 'agent-descriptions', request, REQUEST_TIMEOUT_MS, signal);
  }

  /** Asks what is to be run for alerts, or says how it ended. */
  async alerts(url: string, request: AlertsRequest, timeoutMs: number, signal?: AbortSignal): Promise<AlertsAnswer> {
    return parseAlertsAnswer(await this.post(url, 'alerts', request, timeoutMs, signal));
  }

  /** The CIB as XML. */
  async cib(url: string, signal?: AbortSignal): Promise<string> {
    return this.send(url, 'GET', 'cib', undefined, REQUEST_TIMEOUT_MS, signal);
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  private async post(url: string, path: string, body: object, timeoutMs: number, signal?: AbortSignal): Promise<unknown> {
    const text = await this.send(url, 'POST', path, JSON.stringify(body), timeoutMs, signal);
    if (text === '') return {};
    try {
      return JSON.parse(text);
    } catch {
      throw new ServerUnavailable(`the answer to ${path} is not JSON; is ${url} the Systole server?`);
    }
  }

  private async send(
    url: string,
    method: 'GET' | 'POST',
    path: string,
    body: string | undefined,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const limit = new TimeLimit(timeoutMs, signal);
    let answer: Dispatcher.ResponseData;
    let text: string;
    try {
      answer = await request(`${url}/v1/agent/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          accept: path === 'cib' ? 'application/xml' : 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
        dispatcher: this.dispatcher,
        signal: limit.signal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      text = await bodyOf(answer.body);
    } catch (error) {
      throw new ServerUnavailable(`${method} ${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    } finally {
      limit.release();
    }
    const { statusCode } = answer;
    if (statusCode >= 200 && statusCode < 300) return text;
    if (statusCode >= 500 || statusCode === 429 || statusCode === 408) {
      const said = text.slice(0, MAX_PROBLEM_CHARS);
      throw new ServerUnavailable(`${method} ${path}: the server answered ${statusCode} ${said}`, {
        statusCode,
        retryAfterMs: retryAfterOf(answer.headers['retry-after']),
      });
    }
    const { type, places } = problemOf(text);
    throw new ServerRefused(statusCode, type, text.slice(0, MAX_PROBLEM_CHARS), places);
  }
}

/** Servers are verified whatever the environment says (`NODE_TLS_REJECT_UNAUTHORIZED`). Older versions are broken (RFC 8996). */
function dispatcherWith(tls: TlsMaterial): Agent {
  return new Agent({ connections: 8, connectTimeout: 3_000, connect: { ...tls, rejectUnauthorized: true, minVersion: 'TLSv1.2' } });
}

/** Nobody is left waiting for longer by a header, ms. */
const LONGEST_RETRY_AFTER_MS = 120_000;

/** In seconds, as our servers say it; a date says nothing where clocks differ. */
function retryAfterOf(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Math.min(LONGEST_RETRY_AFTER_MS, Number(header) * 1_000) : 0;
}

/** A server's answer has an end, whoever it is that answers. */
async function bodyOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Ends a request after a time or with the caller's signal. Unlike AbortSignal.any it leaves nothing behind on a signal that lives for long. */
class TimeLimit {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly onAbort = (): void => {
    this.controller.abort(new Error('given up'));
  };

  constructor(
    ms: number,
    private readonly outer: AbortSignal | undefined,
  ) {
    this.timer = setTimeout(() => {
      this.controller.abort(new Error(`no answer within ${ms} ms`));
    }, ms);
    if (outer?.aborted === true) this.onAbort();
    outer?.addEventListener('abort', this.onAbort);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  release(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.onAbort);
  }
}

/** What counts of a problem document; nothing of what is none, e.g. a proxy's page. */
function problemOf(text: string): { readonly type: string; readonly places: readonly string[] } {
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem !== 'object' || problem === null || !('type' in problem)) return { type: '', places: [] };
    const errors: readonly unknown[] = 'errors' in problem && Array.isArray(problem.errors) ? problem.errors : [];
    return { type: String(problem.type), places: errors.flatMap(placeOf) };
  } catch {
    return { type: '', places: [] };
  }
}

function placeOf(error: unknown): readonly string[] {
  return typeof error === 'object' && error !== null && 'pointer' in error && typeof error.pointer === 'string' ? [error.pointer] : [];
}
