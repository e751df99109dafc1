import { Agent, request, type Dispatcher } from 'undici';
import {
  parseAcknowledged,
  parseJoinAnswer,
  parsePollAnswer,
  type AgentResult,
  type AttributeChange,
  type JoinAnswer,
  type JoinRequest,
  type PollAnswer,
  type PollRequest,
} from '@systole/protocol';

/** The server could not be reached, did not answer in time, or is overloaded (5xx, 429): try again. */
export class ServerUnavailable extends Error {
  override readonly name = 'ServerUnavailable';
}

/** The server refuses: repeating the same request will not help. */
export class ServerRefused extends Error {
  override readonly name = 'ServerRefused';

  constructor(
    readonly statusCode: number,
    /** `type` of the problem document, if it is one. */
    readonly problemType: string,
    detail: string,
  ) {
    super(`the server refused with ${statusCode}: ${detail}`);
  }

  /** A newer incarnation of this node has joined. */
  get superseded(): boolean {
    return this.statusCode === 409 && this.problemType.endsWith('/incarnation-superseded');
  }
}

export interface ServerAddress {
  /** Base URL, without `/v1`. */
  readonly url: string;
  readonly token: string;
}

const REQUEST_TIMEOUT_MS = 10_000;
const MAX_PROBLEM_CHARS = 500;

/** The server's agent API. Every method throws {@link ServerUnavailable}, {@link ServerRefused} or ProtocolError. */
export class ServerConnection {
  private readonly dispatcher = new Agent({ connections: 8, connectTimeout: 3_000 });

  constructor(private readonly address: ServerAddress) {}

  async join(body: JoinRequest, signal?: AbortSignal): Promise<JoinAnswer> {
    return parseJoinAnswer(await this.post('join', body, REQUEST_TIMEOUT_MS, signal));
  }

  /** @param timeoutMs when to give up; longer than the poll's own `waitMs` */
  async poll(body: PollRequest, timeoutMs: number, signal?: AbortSignal): Promise<PollAnswer> {
    return parsePollAnswer(await this.post('poll', body, timeoutMs, signal));
  }

  /** @returns ids of the results that the server has stored */
  async results(incarnation: number, results: readonly AgentResult[], signal?: AbortSignal): Promise<string[]> {
    return parseAcknowledged(await this.post('results', { incarnation, results }, REQUEST_TIMEOUT_MS, signal));
  }

  async attributes(incarnation: number, changes: readonly AttributeChange[], signal?: AbortSignal): Promise<void> {
    await this.post('attributes', { incarnation, changes }, REQUEST_TIMEOUT_MS, signal);
  }

  /** The CIB as XML. */
  async cib(signal?: AbortSignal): Promise<string> {
    return this.send('GET', 'cib', undefined, REQUEST_TIMEOUT_MS, signal);
  }

  async requestShutdown(incarnation: number, signal?: AbortSignal): Promise<void> {
    await this.post('shutdown', { incarnation }, REQUEST_TIMEOUT_MS, signal);
  }

  async leave(incarnation: number, signal?: AbortSignal): Promise<void> {
    await this.post('leave', { incarnation }, REQUEST_TIMEOUT_MS, signal);
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  private async post(path: string, body: object, timeoutMs: number, signal?: AbortSignal): Promise<unknown> {
    const text = await this.send('POST', path, JSON.stringify(body), timeoutMs, signal);
    if (text === '') return {};
    try {
      return JSON.parse(text);
    } catch {
      throw new ServerUnavailable(`the answer to ${path} is not JSON; is ${this.address.url} the Systole server?`);
    }
  }

  private async send(
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
      answer = await request(`${this.address.url}/v1/agent/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.address.token}`,
          accept: path === 'cib' ? 'application/xml' : 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
        dispatcher: this.dispatcher,
        signal: limit.signal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      text = await answer.body.text();
    } catch (error) {
      throw new ServerUnavailable(`${method} ${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    } finally {
      limit.release();
    }
    const { statusCode } = answer;
    if (statusCode >= 200 && statusCode < 300) return text;
    if (statusCode >= 500 || statusCode === 429 || statusCode === 408) {
      throw new ServerUnavailable(`${method} ${path}: the server answered ${statusCode} ${text.slice(0, MAX_PROBLEM_CHARS)}`);
    }
    throw new ServerRefused(statusCode, problemType(text), text.slice(0, MAX_PROBLEM_CHARS));
  }
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

function problemType(text: string): string {
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem === 'object' && problem !== null && 'type' in problem) return String(problem.type);
  } catch {
    // Not a problem document, e.g. a proxy's page.
  }
  return '';
}
