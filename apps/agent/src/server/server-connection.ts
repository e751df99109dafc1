import { Agent, request, type Dispatcher } from 'undici';
import type { TlsMaterial } from '@systole/certificates';
import type { Answer, Message } from '@systole/node-session';
import {
  parseAgentToolAnswer,
  parseAlertsAnswer,
  parseFencingAnswer,
  parseGuestTokenAnswer,
  parseInstalledAgentsAnswer,
  parseJoinAnswer,
  parsePollAnswer,
  parseAttributesAnswer,
  parseResultsAnswer,
  type AgentDescriptionRequest,
  type AgentToolAnswer,
  type AgentToolRequest,
  type AlertsAnswer,
  type AlertsRequest,
  type FencingAnswer,
  type GuestTokenAnswer,
  type GuestTokenRequest,
  type AttributesAnswer,
  type AttributesRequest,
  type InstalledAgentsAnswer,
  type InstalledAgentsRequest,
  type OperatorToolRequest,
  type PrivateAttributesRequest,
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
    said: string,
    /** JSON pointers of its errors. */
    readonly places: readonly string[] = [],
    /** Why, in the server's words. */
    readonly detail: string = said,
  ) {
    super(`the server refused with ${statusCode}: ${said}`);
  }
}

/** A CIB, and by which tag the server knows it. */
export interface CibCopy {
  readonly text: string;
  readonly tag?: string;
}

const REQUEST_TIMEOUT_MS = 10_000;
/** People wait longer than leases. */
const LONG_REQUEST_TIMEOUT_MS = 60_000;
const MAX_PROBLEM_CHARS = 500;
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;

/** The servers' agent API; `url` is always that of the server to ask. Every method throws {@link ServerUnavailable}, {@link ServerRefused} or ProtocolError. */
export class ServerConnection {
  private dispatcher: Agent;

  /**
   * @param tls by which servers are verified, and what they are shown
   * @param base path below which everything is asked for
   */
  constructor(
    private readonly token: string,
    tls: TlsMaterial = {},
    private readonly base = '/v1/agent',
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

  /** Has attributes set and cleared, all or none; no changes: only says which number is the lowest that is waited for. */
  async attributes(url: string, request: AttributesRequest, signal?: AbortSignal): Promise<void> {
    await this.post(url, 'attributes', request, REQUEST_TIMEOUT_MS, signal);
  }

  /** Says which attributes are private on the node. */
  async privateAttributes(url: string, request: PrivateAttributesRequest, signal?: AbortSignal): Promise<void> {
    await this.post(url, 'private-attributes', request, REQUEST_TIMEOUT_MS, signal);
  }

  /** Has something written that a tool asks for. */
  async toolRequest(url: string, asked: AgentToolRequest, signal?: AbortSignal): Promise<AgentToolAnswer> {
    return parseAgentToolAnswer(await this.post(url, 'tool-requests', asked, REQUEST_TIMEOUT_MS, signal));
  }

  /** The same by an operator's token, where {@link base} is a cluster of the public API. @returns whether anything was changed */
  async operatorToolRequest(url: string, asked: OperatorToolRequest, signal?: AbortSignal): Promise<boolean> {
    const answer = await this.post(url, 'commands/tool-request', asked, LONG_REQUEST_TIMEOUT_MS, signal);
    if (typeof answer !== 'object' || answer === null || !('events' in answer) || !Array.isArray(answer.events))
      throw new ServerUnavailable(`the answer is none of a write; is ${url} the Systole server?`);
    return answer.events.length > 0;
  }

  /** Asks for a token for the agent inside of a container that this node was told to start. */
  async guestToken(url: string, request: GuestTokenRequest, signal?: AbortSignal): Promise<GuestTokenAnswer> {
    return parseGuestTokenAnswer(await this.post(url, 'guest-tokens', request, REQUEST_TIMEOUT_MS, signal));
  }

  /** Says which resource and fence agents the node has. */
  async installedAgents(url: string, request: InstalledAgentsRequest, signal?: AbortSignal): Promise<InstalledAgentsAnswer> {
    return parseInstalledAgentsAnswer(await this.post(url, 'installed-agents', request, REQUEST_TIMEOUT_MS, signal));
  }

  /** Says what one of them says about itself. */
  async describeAgent(url: string, request: AgentDescriptionRequest, signal?: AbortSignal): Promise<void> {
    await this.post(url, 'agent-descriptions', request, REQUEST_TIMEOUT_MS, signal);
  }

  /** Transient attributes as agents said them last. @param of by the name of the node, and of the attribute */
  async transientAttributes(
    url: string,
    of: { readonly node?: string; readonly name?: string },
    signal?: AbortSignal,
  ): Promise<AttributesAnswer['attributes']> {
    const text = await this.send(url, 'GET', `attributes?${new URLSearchParams(of).toString()}`, undefined, REQUEST_TIMEOUT_MS, signal);
    return parseAttributesAnswer(parsedJson(text, 'attributes', url)).attributes;
  }

  /**
   * How nodes are being fenced, and were; by an operator's token, too.
   *
   * @param node name of the only one that is meant, of which the devices that can fence it are told
   */
  async fencing(url: string, node: string | undefined, signal?: AbortSignal): Promise<FencingAnswer> {
    const path = node === undefined ? 'fencing' : `fencing?${new URLSearchParams({ node }).toString()}`;
    return parseFencingAnswer(parsedJson(await this.send(url, 'GET', path, undefined, REQUEST_TIMEOUT_MS, signal), 'fencing', url));
  }

  /** Asks what is to be run for alerts, or says how it ended. */
  async alerts(url: string, request: AlertsRequest, timeoutMs: number, signal?: AbortSignal): Promise<AlertsAnswer> {
    return parseAlertsAnswer(await this.post(url, 'alerts', request, timeoutMs, signal));
  }

  /** The CIB as XML. @param known what it was when it was last asked for: sent again only when it is another */
  async cib(url: string, known?: CibCopy, signal?: AbortSignal): Promise<CibCopy> {
    const answer = await this.exchange(url, 'GET', 'cib', undefined, REQUEST_TIMEOUT_MS, signal, known?.tag);
    if (answer.statusCode === 304 && known !== undefined) return known;
    const { etag } = answer.headers;
    return { text: answer.text, ...(typeof etag === 'string' ? { tag: etag } : {}) };
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  private async post(url: string, path: string, body: object, timeoutMs: number, signal?: AbortSignal): Promise<unknown> {
    const text = await this.send(url, 'POST', path, JSON.stringify(body), timeoutMs, signal);
    return text === '' ? {} : parsedJson(text, path, url);
  }

  private async send(
    url: string,
    method: 'GET' | 'POST',
    path: string,
    body: string | undefined,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    return (await this.exchange(url, method, path, body, timeoutMs, signal)).text;
  }

  /** @param known tag of the answer that the asker has: then 304 is an answer, too */
  private async exchange(
    url: string,
    method: 'GET' | 'POST',
    path: string,
    body: string | undefined,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    known?: string,
  ): Promise<Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { readonly text: string }> {
    const limit = new TimeLimit(timeoutMs, signal);
    let answer: Dispatcher.ResponseData;
    let text: string;
    try {
      answer = await request(`${url}${this.base}/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          accept: path === 'cib' ? 'application/xml' : 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(known === undefined ? {} : { 'if-none-match': known }),
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
    const { statusCode, headers } = answer;
    if ((statusCode >= 200 && statusCode < 300) || (statusCode === 304 && known !== undefined)) return { statusCode, headers, text };
    const { type, places, detail, budget } = problemOf(text);
    const said = text.slice(0, MAX_PROBLEM_CHARS);
    // Where this node has changed the configuration too often the server is there, nothing else of it has to wait, and whoever asked is to hear why.
    if ((statusCode >= 500 || statusCode === 429 || statusCode === 408) && budget !== 'configurations') {
      throw new ServerUnavailable(`${method} ${path}: the server answered ${statusCode} ${said}`, {
        statusCode,
        retryAfterMs: retryAfterOf(headers['retry-after']),
      });
    }
    throw new ServerRefused(statusCode, type, said, places, detail ?? said);
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
interface SaidProblem {
  readonly type: string;
  readonly places: readonly string[];
  readonly detail?: string;
  /** Which budget is spent, where one is. */
  readonly budget?: string;
}

function problemOf(text: string): SaidProblem {
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem !== 'object' || problem === null || !('type' in problem)) return { type: '', places: [] };
    const errors: readonly unknown[] = 'errors' in problem && Array.isArray(problem.errors) ? problem.errors : [];
    const detail = 'detail' in problem && typeof problem.detail === 'string' ? { detail: problem.detail } : {};
    const spent = 'budget' in problem ? problem.budget : undefined;
    const budget = typeof spent === 'object' && spent !== null && 'kind' in spent ? { budget: String(spent.kind) } : {};
    return { type: String(problem.type), places: errors.flatMap(placeOf), ...detail, ...budget };
  } catch {
    return { type: '', places: [] };
  }
}

function placeOf(error: unknown): readonly string[] {
  return typeof error === 'object' && error !== null && 'pointer' in error && typeof error.pointer === 'string' ? [error.pointer] : [];
}

function parsedJson(text: string, path: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServerUnavailable(`the answer to ${path} is not JSON; is ${url} the Systole server?`);
  }
}
