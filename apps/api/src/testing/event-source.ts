import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN } from './api-under-test.js';

/** A message of a stream. */
export interface Message {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

/** A client of the event stream as browsers have it, fields and all. */
export class EventSourceByHand {
  readonly messages: Message[] = [];
  comments = 0;
  private readonly controller = new AbortController();
  private ended = false;

  async open(url: string, headers: Record<string, string> = {}): Promise<Response> {
    const response = await fetch(url, { headers: { authorization: `Bearer ${ADMIN}`, ...headers }, signal: this.controller.signal });
    void this.read(response);
    return response;
  }

  async until(reached: () => boolean): Promise<void> {
    for (let waited = 0; !reached() && waited < 30_000; waited += 10) await sleep(10);
    if (!reached()) throw new Error(`the stream brought only ${JSON.stringify(this.messages)}`);
  }

  get events(): readonly Message[] {
    return this.messages.filter(({ data }) => data !== undefined);
  }

  get closed(): boolean {
    return this.ended;
  }

  close(): void {
    this.controller.abort();
  }

  private async read(response: Response): Promise<void> {
    if (response.body === null) return;
    let rest = '';
    try {
      for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
        const parts = (rest + text).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) this.take(part);
      }
    } catch {
      // Closed by the test, or by the server.
    }
    this.ended = true;
  }

  private take(part: string): void {
    if (part.startsWith(':')) {
      this.comments++;
      return;
    }
    this.messages.push(Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])));
  }
}
