import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import type {
  AgentAction,
  AgentDescriptionRequest,
  AgentResult,
  AttributeChange,
  InstalledAgentsRequest,
  JoinRequest,
  PrivateAttributesRequest,
  OnLeaseLoss,
  PollRequest,
} from '@systole/protocol';

export interface ScriptedServerOptions {
  readonly leaseMs?: number;
  readonly pollMs?: number;
  readonly node?: string;
  /** Serve by HTTPS; absent: plain HTTP. */
  readonly tls?: ServerOptions;
}

/**
 * A server that speaks the agent's wire protocol and is driven by a test: it hands out what it is told to, repeats deliveries until a result arrives, as the real
 * one does, and remembers what it was sent. Only for tests of the agent.
 */
export class ScriptedServer {
  /** With the incarnation in whose name each was sent. */
  readonly results: (AgentResult & { readonly incarnation: number })[] = [];
  readonly attributes: AttributeChange[] = [];
  /** What was told to be private on the node. */
  readonly privately: PrivateAttributesRequest[] = [];
  readonly polls: PollRequest[] = [];
  readonly joins: JoinRequest[] = [];
  /** Subjects of the certificates that clients have shown, each once. */
  readonly shown = new Set<string>();
  readonly installed: InstalledAgentsRequest[] = [];
  readonly descriptions: AgentDescriptionRequest[] = [];
  /** Types of the agents whose meta-data it wants, until they are described. */
  wantsDescribed: readonly string[] = [];
  /** What it wants done when the lease is lost; a server of protocol 1.0 says nothing. */
  onLeaseLoss: OnLeaseLoss | undefined;
  /** Set to take requests and never answer them. */
  hangs = false;
  /** Answers everything, when set. */
  nonsense: { readonly body: string; readonly status: number } | undefined;
  /** Action ids of whose results it takes nothing. */
  readonly poison = new Set<string>();
  /** Version of the head of its log. */
  version = 1;
  incarnation = 0;
  left = false;
  shutdownRequested = false;
  shutdownComplete = false;
  /** Replaces the CIB that shows this node and the attributes that it has set. */
  cib: string | undefined;
  /** What is told to be done by a node that was declared down and runs; absent: nothing is said. */
  fenceReaction: 'stop' | 'panic' | undefined;
  /** Status codes of the answers to questions for the CIB. */
  readonly cibAnswers: number[] = [];
  /** History ids that are told to be unmanaged. */
  unmanaged: string[] = [];
  /** Set to make every request fail as if the server were gone. */
  unreachable = false;
  private leaseEnded: { readonly status: number; readonly problem: string } | undefined;
  private readonly pending = new Map<string, AgentAction>();
  private readonly done = new Set<string>();
  private wake: (() => void)[] = [];

  private constructor(
    private readonly http: Server,
    private readonly options: Required<Omit<ScriptedServerOptions, 'tls'>>,
    private readonly scheme: 'http' | 'https',
  ) {}

  static async start({ tls, ...options }: ScriptedServerOptions = {}): Promise<ScriptedServer> {
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      if (request.socket instanceof TLSSocket) server.shown.add(request.socket.getPeerX509Certificate()?.subject ?? '');
      void server.handle(request, response);
    };
    const http = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
    const server = new ScriptedServer(
      http,
      { leaseMs: 10_000, pollMs: 5_000, node: 'n1', ...options },
      tls === undefined ? 'http' : 'https',
    );
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    const { port } = this.http.address() as AddressInfo;
    return `${this.scheme}://127.0.0.1:${port}`;
  }

  /** Delivers an action until its result arrives. */
  order(action: AgentAction): void {
    this.pending.set(action.actionId, action);
    this.notify();
  }

  completeShutdown(): void {
    this.shutdownComplete = true;
    this.notify();
  }

  /** The server counts the node as lost, and says why: its agent has to join anew. */
  endLease(problem = 'lease-ended', status = 409): void {
    this.leaseEnded = { status, problem };
    this.notify();
  }

  /** A newer agent joins as the same node. */
  supersede(): void {
    this.incarnation += 1;
    this.notify();
  }

  async stop(): Promise<void> {
    this.notify();
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  private liveCib(): string {
    const values = new Map(this.attributes.map(({ name, value }) => [name, value]));
    const pairs = [...values]
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `<nvpair id="a-${name}" name="${name}" value="${value ?? ''}"/>`);
    const { node } = this.options;
    return `<cib validate-with="none" have-quorum="1"><configuration><nodes><node id="1" uname="${node}"/></nodes></configuration><status>
      <node_state id="1" uname="${node}" crmd="online" in_ccm="true" join="member" expected="member"><transient_attributes id="1"><instance_attributes id="a">
      ${pairs.join('')}</instance_attributes></transient_attributes></node_state></status></cib>`;
  }

  private transientAttributes(asked: URLSearchParams): readonly object[] {
    const { node } = this.options;
    const wanted = (of: { readonly name: string; readonly node?: string }): boolean =>
      (asked.get('name') ?? of.name) === of.name && (asked.get('node') ?? of.node ?? node) === (of.node ?? node);
    const values = new Map(this.attributes.filter(wanted).map((one) => [`${one.node ?? node} ${one.name}`, one]));
    return [...values.values()].flatMap(({ name, value, node: of = node }) => (value === null ? [] : [{ node: of, name, value }]));
  }

  private notify(): void {
    for (const one of this.wake.splice(0)) one();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isGone(request)) return;
    if (this.hangs) return;
    if (this.nonsense !== undefined) {
      response.statusCode = this.nonsense.status;
      response.end(this.nonsense.body);
      return;
    }
    const text = await bodyOf(request);
    const path = request.url?.replace('/v1/agent/', '') ?? '';
    if (path === 'cib') {
      const cib = this.cib ?? this.liveCib();
      const tag = `"${createHash('sha256').update(cib).digest('hex')}"`;
      response.setHeader('content-type', 'application/xml').setHeader('etag', tag);
      response.statusCode = request.headers['if-none-match'] === tag ? 304 : 200;
      this.cibAnswers.push(response.statusCode);
      response.end(response.statusCode === 304 ? undefined : cib);
      return;
    }
    if (path === 'alerts') {
      // As a server does that knows no alerts: the agent asks again in a minute.
      response.statusCode = 404;
      response.end('{}');
      return;
    }
    if (path.startsWith('attributes?')) {
      const asked = new URLSearchParams(path.slice('attributes?'.length));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ attributes: this.transientAttributes(asked) }));
      return;
    }
    const body = JSON.parse(text) as { incarnation?: number };
    // Results are facts: taken in the name of every incarnation that there was.
    const refusal = (): { readonly status: number; readonly problem: string } | undefined => {
      if (path === 'results') return this.refusalOfResults(body);
      if (body.incarnation === undefined) return undefined;
      if (body.incarnation !== this.incarnation) return { status: 409, problem: 'incarnation-superseded' };
      return this.leaseEnded;
    };
    const answer = refusal() === undefined ? await this.answer(path, body) : {};
    const refused = refusal();
    if (refused !== undefined) {
      refuse(response, refused.status, refused.problem);
      return;
    }
    if (this.isGone(request)) return;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  }

  private refusalOfResults(body: object): { readonly status: number; readonly problem: string } | undefined {
    const { results } = body as { results: AgentResult[] };
    return results.some(({ actionId }) => this.poison.has(actionId)) ? { status: 422, problem: 'invalid-request' } : undefined;
  }

  private isGone(request: IncomingMessage): boolean {
    if (this.unreachable) request.socket.destroy();
    return this.unreachable;
  }

  private async answer(path: string, body: object): Promise<object> {
    const { leaseMs, pollMs, node } = this.options;
    switch (path) {
      case 'join':
        this.incarnation += 1;
        this.leaseEnded = undefined;
        this.joins.push(body as JoinRequest);
        return { clusterId: 'c1', clusterName: 'test', node, nodeId: '1', incarnation: this.incarnation, leaseMs, pollMs, ...this.said() };
      case 'poll':
        return this.answerPoll(body as PollRequest);
      case 'results': {
        const { incarnation, results } = body as { incarnation: number; results: AgentResult[] };
        this.results.push(...results.map((result) => ({ ...result, incarnation })));
        for (const result of results) {
          this.pending.delete(result.actionId);
          this.done.add(result.actionId);
        }
        return { acknowledged: results.map((result) => result.resultId) };
      }
      case 'attributes':
        this.attributes.push(...(body as { changes: AttributeChange[] }).changes);
        return {};
      case 'private-attributes':
        this.privately.push(body as PrivateAttributesRequest);
        return {};
      case 'installed-agents': {
        const told = body as InstalledAgentsRequest;
        this.installed.push(told);
        const isWanted = (type: string): boolean =>
          this.wantsDescribed.includes(type) && !this.descriptions.some((description) => description.type === type);
        return { wanted: told.agents.filter(({ type }) => isWanted(type)) };
      }
      case 'agent-descriptions':
        this.descriptions.push(body as AgentDescriptionRequest);
        return {};
      case 'shutdown':
        this.shutdownRequested = true;
        return {};
      case 'leave':
        this.left = true;
        return {};
      default:
        throw new Error(`no such path ${path}`);
    }
  }

  private said(): object {
    const { onLeaseLoss, version, fenceReaction } = this;
    const reaction = fenceReaction === undefined ? {} : { fenceReaction };
    if (onLeaseLoss === undefined) return reaction;
    return { ...reaction, onLeaseLoss, head: { epoch: 'c1', version, hash: `h${version}` } };
  }

  private async answerPoll(poll: PollRequest): Promise<object> {
    this.polls.push(poll);
    const deliverable = (): AgentAction[] => [...this.pending.values()].filter((action) => !poll.known.includes(action.actionId));
    if (deliverable().length === 0 && !this.shutdownComplete) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, poll.waitMs);
        this.wake.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return {
      leaseMs: this.options.leaseMs,
      actions: deliverable(),
      unmanaged: this.unmanaged,
      ...(this.shutdownComplete ? { shutdown: true } : {}),
      ...this.said(),
    };
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/problem+json');
  response.end(JSON.stringify({ type: `https://systole.dev/problems/${code}`, title: code, status }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
