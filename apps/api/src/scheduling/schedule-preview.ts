import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { serializeXml, type XmlElement } from '@systole/cib';
import type { ExplanationSelection, ExplanationView, UnknownName } from '../explanation/explanation-view.js';
import { HttpProblem, type ProblemIssue } from '../http/problem.js';
import type { BareSchedule, CibRefusal, Computed, ScheduleReply, ScheduleRequest } from './schedule-message.js';

/** After which a computation is given up, ms. A person waits for it. */
const LIMIT_MS = 60_000;

interface Waiting {
  readonly request: ScheduleRequest;
  readonly resolve: (computed: Computed) => void;
  readonly reject: (error: Error) => void;
}

/** A schedule with the explanation that was asked for. */
export interface Explained {
  readonly schedule: BareSchedule;
  readonly explanation: ExplanationView;
}

/** Runs the scheduler for dry runs, simulations, status and explanations, in a thread of its own, one computation at a time. */
@Injectable()
export class SchedulePreview implements OnModuleDestroy {
  readonly #queue: Waiting[] = [];
  #worker: Worker | undefined;
  #running: { readonly waiting: Waiting; readonly timer: NodeJS.Timeout } | undefined;
  #lastId = 0;

  /**
   * @param cib a tree that was accepted already, or XML text that a client sent
   * @param now epoch seconds
   * @param options.scores also list all scores; `scores` is empty otherwise
   * @throws {HttpProblem} 422 when the text is no CIB, 503 when the computation takes too long
   */
  async schedule(cib: XmlElement | string, now: number, { scores = false } = {}): Promise<BareSchedule> {
    return (await this.#compute(cib, { now, dot: false, scores })).schedule;
  }

  /**
   * The same with its reasons.
   *
   * @throws {HttpProblem} 404 when a resource or node is asked about that is not there, naming what may have been meant
   */
  async explain(cib: XmlElement | string, now: number, selection: ExplanationSelection, { scores = false } = {}): Promise<Explained> {
    const { schedule, explanation } = await this.#compute(cib, { now, dot: false, scores, explain: selection });
    if (explanation === undefined) throw new Error('the scheduling thread explained nothing');
    if ('unknown' in explanation) throw unknownName(explanation.unknown);
    return { schedule, explanation: explanation.view };
  }

  /** The same as a drawing in the dot language. */
  async dot(cib: XmlElement | string, now: number): Promise<string> {
    return (await this.#compute(cib, { now, dot: true, scores: false })).dot ?? '';
  }

  async onModuleDestroy(): Promise<void> {
    const closing = new HttpProblem(503, 'closing', 'the server is closing');
    for (const waiting of this.#queue.splice(0)) waiting.reject(closing);
    this.#end()?.reject(closing);
    await this.#worker?.terminate();
  }

  #compute(cib: XmlElement | string, options: Omit<ScheduleRequest, 'id' | 'cib'>): Promise<Computed> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      const text = typeof cib === 'string' ? cib : serializeXml(cib);
      this.#queue.push({ request: { id: this.#lastId, cib: text, ...options }, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const waiting = this.#queue.shift();
    if (waiting === undefined) return;
    const timer = setTimeout(() => {
      const late = this.#end();
      void this.#worker?.terminate();
      this.#worker = undefined;
      late?.reject(new HttpProblem(503, 'schedule-timeout', `the scheduler took longer than ${LIMIT_MS / 1_000} s for this cluster`));
      this.#next();
    }, LIMIT_MS);
    this.#running = { waiting, timer };
    this.#worker ??= this.#start();
    this.#worker.postMessage(waiting.request);
  }

  #start(): Worker {
    const worker = new Worker(threadEntry());
    worker.unref();
    worker.on('message', (reply: ScheduleReply) => {
      if (reply.id !== this.#running?.waiting.request.id) return;
      const waiting = this.#end();
      if (reply.outcome === 'scheduled') waiting?.resolve(reply.computed);
      else if (reply.outcome === 'refused') waiting?.reject(refusedCib(reply.refusal));
      else waiting?.reject(new Error(`the scheduler broke: ${reply.error}`));
      this.#next();
    });
    const lost = (reason: string): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#end()?.reject(new Error(`the scheduling thread ${reason}`));
      this.#next();
    };
    worker.on('error', (error) => {
      lost(`broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    });
    worker.on('exit', (code) => {
      lost(`ended with code ${code}`);
    });
    return worker;
  }

  #end(): Waiting | undefined {
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(running?.timer);
    return running?.waiting;
  }
}

function unknownName({ what, name, near }: UnknownName): HttpProblem {
  const hint = near.length === 0 ? '' : `: did you mean ${near.join(' or ')}?`;
  const detail = `there is no ${what} ${name.slice(0, 80)}${hint}`;
  return new HttpProblem(404, `${what}-not-found`, detail, { errors: [{ parameter: what, detail }] });
}

/** What is wrong with a CIB, in the words of HTTP. */
export function refusedCib({ message, line, problems }: CibRefusal): HttpProblem {
  const place = line === undefined ? {} : { line };
  const errors: readonly ProblemIssue[] =
    problems.length === 0
      ? [{ ...place, detail: message }]
      : problems.map((problem) => ({
          ...(problem.line === undefined ? {} : { line: problem.line }),
          element: problem.element,
          path: problem.path,
          detail: problem.message,
        }));
  return new HttpProblem(422, 'invalid-configuration', message, { errors });
}

/** The compiled entry, also when this file itself runs from its source (under the test runner): Node starts threads only from JavaScript. */
function threadEntry(): URL {
  const entry = new URL('./schedule-thread.js', import.meta.url.replace('/apps/api/src/', '/apps/api/dist/'));
  if (!existsSync(fileURLToPath(entry))) throw new Error(`${fileURLToPath(entry)} is missing: run \`npm run build\` first`);
  return entry;
}
