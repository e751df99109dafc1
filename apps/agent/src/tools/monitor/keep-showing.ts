import { setTimeout as delay } from 'node:timers/promises';
import { parseXml } from '@systole/cib';
import type { Caller } from '../caller.js';
import { asHtml } from './html.js';
import { recordedOperations } from './operations.js';
import type { MonitorAnswer, MonitorTask } from './tasks.js';

export interface Output {
  readonly kind: 'text' | 'xml' | 'html';
  /** Where it is written; printed when there is none. */
  readonly file?: string;
}

export interface Showing {
  readonly task: Omit<MonitorTask, 'cib' | 'now'>;
  readonly output: Output;
  readonly isPrinted: boolean;
  readonly intervalMs: number;
  /** Is run with what became of each operation. */
  readonly program?: string;
  readonly recipient?: string;
  readonly caller: Caller;
  readonly cib: () => Promise<string>;
  /** How nodes are being fenced and were; absent: that is not shown. */
  readonly fencing?: () => Promise<NonNullable<MonitorTask['fencing']>>;
  readonly perform: (task: MonitorTask) => Promise<MonitorAnswer>;
  readonly selection: (cib: string) => Pick<MonitorTask, 'nodes' | 'resources'>;
}

/** Operations are looked for more often than the status is written: a second one of a kind takes the place of the first. */
const LOOK_MS = 1_000;
const CLEAR = '\u001b[H\u001b[2J';

/** Shows the status until its caller has gone. While the server is away, what was shown last stays. */
export async function keepShowing(showing: Showing): Promise<void> {
  const { caller, program, intervalMs } = showing;
  const every = program === undefined ? intervalMs : Math.min(intervalMs, LOOK_MS);
  const known = new KnownOperations();
  let shownAt = Number.NEGATIVE_INFINITY;
  while (!caller.gone.aborted) {
    const cib = await showing.cib().catch(() => undefined);
    if (cib !== undefined) {
      if (program !== undefined)
        known.tell(cib, (notification) => {
          caller.run(program, { ...notification, CRM_notify_recipient: showing.recipient ?? '' });
        });
      if (performance.now() - shownAt >= intervalMs - every / 2) {
        shownAt = performance.now();
        const fencing = await showing.fencing?.().catch(() => undefined);
        if (fencing !== undefined || showing.fencing === undefined)
          await show(showing, { cib, ...(fencing === undefined ? {} : { fencing }) });
      }
    }
    await delay(every, undefined, { signal: caller.gone }).catch(() => undefined);
  }
}

async function show(
  { task, output, isPrinted, intervalMs, caller, perform, selection }: Showing,
  known: Pick<MonitorTask, 'cib' | 'fencing'>,
): Promise<void> {
  const { text } = await perform({ ...selection(known.cib), ...task, ...known, now: Math.floor(Date.now() / 1_000) });
  const shown = output.kind === 'html' ? asHtml(text, Math.ceil(intervalMs / 1_000)) : text;
  if (output.file !== undefined) caller.file(output.file, shown);
  else if (isPrinted) caller.write(`${CLEAR}${shown}`);
}

/** Which operations were told of. What was there when it began is no news. */
class KnownOperations {
  private lastText: string | undefined;
  private known: ReadonlyMap<string, unknown> | undefined;

  tell(cib: string, hear: (notification: Readonly<Record<string, string>>) => void): void {
    if (cib === this.lastText) return;
    this.lastText = cib;
    const present = recordedOperations(parseXml(cib));
    if (this.known !== undefined) for (const [key, notification] of present) if (!this.known.has(key)) hear(notification);
    this.known = present;
  }
}
