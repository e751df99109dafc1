import { Worker } from 'node:worker_threads';
import { failedResult } from '../failures.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from '../tool.js';
import type { FromThread, ToThread } from './document-calls.js';

/** For one call, without what it waits for of its caller and the cluster. */
const LONGEST_MS = 60_000;

/** The thread as this one sees it. */
export interface FarSide {
  tell(message: ToThread): void;
  end(): void;
}

/** Who listens to the thread. */
export interface Listener {
  readonly said: (message: FromThread) => void;
  readonly failed: (error: Error) => void;
}

interface Open {
  readonly call: ToolCall;
  readonly cluster: ToolCluster;
  readonly settle: (result: ToolResult) => void;
  timer?: NodeJS.Timeout;
}

/**
 * Runs tools that work on documents in a thread of its own, which begins with the first: however large a document is, and however much is asked of it, the node's lease is renewed meanwhile. The texts are got here, where the
 * caller and the cluster are.
 */
export class DocumentThread {
  private far: FarSide | undefined;
  private nextId = 0;
  private readonly open = new Map<number, Open>();

  constructor(private readonly start: (listener: Listener) => FarSide = startWorker) {}

  /** Never rejects. */
  run(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
    const far = (this.far ??= this.begun());
    const id = (this.nextId += 1);
    return new Promise((resolve) => {
      this.open.set(id, { call, cluster, settle: resolve });
      const { caller, ...plain } = call;
      const { node, nodeId, clusterName } = cluster;
      this.tell(far, { id, call: plain, hasCaller: caller !== undefined, cluster: { node, nodeId, clusterName } });
    });
  }

  close(): void {
    if (this.far !== undefined) this.fail(this.far, new Error('the node agent ends'));
  }

  private begun(): FarSide {
    const far: FarSide = this.start({
      said: (message) => {
        if (this.far === far) this.take(far, message);
      },
      failed: (error) => {
        this.fail(far, error);
      },
    });
    return far;
  }

  private tell(far: FarSide, message: ToThread): void {
    const open = this.open.get(message.id);
    if (open === undefined) return;
    open.timer = setTimeout(() => {
      this.fail(far, new Error(`it took more than ${LONGEST_MS / 1_000} s`));
    }, LONGEST_MS);
    far.tell(message);
  }

  private take(far: FarSide, message: FromThread): void {
    const { id } = message;
    const open = this.open.get(id);
    if (open === undefined) return;
    if ('has' in message) {
      const { caller } = open.call;
      const [first = '', second = ''] = message.args;
      caller?.[message.has](first, second);
      return;
    }
    clearTimeout(open.timer);
    if ('result' in message) {
      this.end(id, open, message.result);
      return;
    }
    this.textFor(message, open).then(
      (text) => {
        if (this.far === far) this.tell(far, { id, text });
      },
      (error: unknown) => {
        // What the cluster did not say ends the call as it would here.
        if (message.asks === 'cib') this.end(id, open, failedResult(open.call, error));
        else if (this.far === far) this.tell(far, { id, trouble: error instanceof Error ? error.message : String(error) });
      },
    );
  }

  private textFor(message: Extract<FromThread, { readonly asks: string }>, { call: { caller }, cluster }: Open): Promise<string> {
    if (message.asks === 'cib') return cluster.cib();
    if (caller === undefined) return Promise.reject(new Error('nobody can be asked'));
    return message.asks === 'read' ? caller.read(message.path) : caller.stdin();
  }

  private end(id: number, { timer, settle }: Open, result: ToolResult): void {
    clearTimeout(timer);
    this.open.delete(id);
    settle(result);
  }

  /** Everybody who waits for this thread hears it; the next one who asks gets another thread. */
  private fail(far: FarSide, error: Error): void {
    if (this.far !== far) return;
    this.far = undefined;
    far.end();
    for (const [id, open] of [...this.open])
      this.end(id, open, failedResult(open.call, new ToolFailure(EXIT.SOFTWARE, `the document could not be worked on: ${error.message}`)));
  }
}

function startWorker({ said, failed }: Listener): FarSide {
  const worker = new Worker(new URL('./document-worker.js', import.meta.url));
  worker.unref();
  worker.on('message', said);
  worker.on('error', (error) => {
    failed(error instanceof Error ? error : new Error(String(error)));
  });
  return {
    tell: (message) => {
      worker.postMessage(message);
    },
    end: () => {
      void worker.terminate();
    },
  };
}
