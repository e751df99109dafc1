import type { Response } from 'express';
import type { HttpProblem } from '../http/problem.js';
import { writeInStep } from '../http/write-in-step.js';

/** An answer as server-sent events, written as fast as the client reads. */
export class ServerSentEvents {
  #lastWrite = performance.now();
  /** The id that the client has. */
  #told = '';

  /** @param heartbeatMs how often one that is idle shows that it lives */
  constructor(
    private readonly response: Response,
    private readonly heartbeatMs: number,
  ) {}

  /** @param id from which a client goes on that comes back before the first event */
  async begin(id: string): Promise<void> {
    this.response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    this.#told = id;
    await this.#write(`retry: 1000\nid: ${id}\n\n`);
  }

  async send(id: string, type: string, data: object): Promise<void> {
    this.#told = id;
    await this.#write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Shows now and then that it lives, and how far it has come: what was passed over need not be looked at again. */
  async beat(id: string): Promise<void> {
    if (performance.now() - this.#lastWrite < this.heartbeatMs) return;
    await this.#write(id === this.#told ? ': heartbeat\n\n' : `: heartbeat\nid: ${id}\n\n`);
    this.#told = id;
  }

  /** The id is empty: a browser that comes back has none then, and begins anew. */
  async gone(problem: HttpProblem): Promise<void> {
    await this.#write(`id:\nevent: gone\ndata: ${JSON.stringify(problem.document(this.response.req.originalUrl))}\n\n`);
  }

  async #write(text: string): Promise<void> {
    await writeInStep(this.response, text);
    this.#lastWrite = performance.now();
  }
}
