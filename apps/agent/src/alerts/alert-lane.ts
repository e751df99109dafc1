import { posix } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { optionsNotGiven, runAlert, type AgentHost, type AlertOutcome, type ProcessUser } from '@systole/ocf';
import {
  beginningOf,
  carriableText,
  LIMITS,
  type AgentAlert,
  type AlertEnd,
  type AlertsAnswer,
  type AlertsRequest,
} from '@systole/protocol';
import type { Logger } from 'pino';
import type { AllowList } from '../programs/allow-list.js';
import { masked } from '../secrets/masked.js';
import type { SecretSources } from '../secrets/secret-sources.js';
import { ServerRefused, ServerUnavailable } from '../server/server-connection.js';

/** How long the server may let a question wait, ms. */
const WAIT_MS = 30_000;
/** How often it is looked whether the node has joined, ms. */
const JOINED_EVERY_MS = 500;
/** After a question that was not answered, ms. */
const RETRY_MS = 5_000;
/** After a refusal: an older server does not know of alerts. ms */
const REFUSED_MS = 60_000;
/** Programs that run at the same time; each alert and recipient has one at a time. */
const MOST_AT_A_TIME = 16;

export interface AlertLaneParts {
  readonly host: AgentHost;
  readonly server: {
    alerts(url: string, request: AlertsRequest, timeoutMs: number, signal?: AbortSignal): Promise<AlertsAnswer>;
  };
  /** The session, and the server that answered last; undefined while the node is not joined. */
  readonly session: () => { readonly url: string; readonly incarnation: number } | undefined;
  readonly secrets: Pick<SecretSources, 'find'>;
  readonly logger: Logger;
  /** What may run on the node; undefined: everything. */
  readonly allowed?: AllowList | undefined;
  /** As whom programs run; undefined: as this process. */
  readonly user?: ProcessUser | undefined;
  /** How long the server may let a question wait, ms; default 30,000. */
  readonly waitMs?: number;
}

/**
 * Runs the programs of alerts, apart from everything else: no poll, no operation and no lease waits for any of it, and nothing of it is in the journal. Those of one alert and recipient run one after the other, in the order of
 * what they tell of. What a process of the agent took and did not report is given to the next one, so that a program may run twice when the agent was ended meanwhile, but is not forgotten.
 */
export class AlertLane {
  /** Taken, and not ended. */
  readonly #known = new Map<number, AgentAlert>();
  /** Ended, and not told yet. */
  readonly #ended = new Map<number, AlertEnd>();
  /** Waiting for their turn, by alert and recipient. */
  readonly #queues = new Map<string, AgentAlert[]>();
  readonly #busy = new Set<string>();
  readonly #ending = new AbortController();
  #isTelling = false;
  #wake: () => void = () => undefined;

  constructor(private readonly parts: AlertLaneParts) {}

  /** Goes on until it is told to stop; what runs then is ended. Never rejects. */
  async run(stop: AbortSignal): Promise<void> {
    const end = (): void => {
      this.#ending.abort();
      this.#wake();
    };
    stop.addEventListener('abort', end, { once: true });
    while (!stop.aborted) {
      const waitMs = await this.#ask(stop).catch((error: unknown) => this.#retryIn(error));
      if (waitMs > 0) await pause(waitMs, undefined, { signal: stop, ref: false }).catch(() => undefined);
    }
  }

  /** @returns ms until it asks again */
  async #ask(stop: AbortSignal): Promise<number> {
    const { session, server, waitMs = WAIT_MS } = this.parts;
    const joined = session();
    if (joined === undefined) return JOINED_EVERY_MS;
    // What could not be told is told again.
    this.#tell();
    if (this.#known.size + this.#ended.size >= LIMITS.alerts) {
      await this.#somethingEnds(JOINED_EVERY_MS);
      return 0;
    }
    const known = [...this.#known.keys(), ...this.#ended.keys()];
    const request = { incarnation: joined.incarnation, waitMs, known, ended: [] };
    const { alerts } = await server.alerts(joined.url, request, waitMs + RETRY_MS * 2, stop);
    for (const alert of alerts) this.#take(alert);
    return 0;
  }

  #take(alert: AgentAlert): void {
    if (this.#known.has(alert.id) || this.#ended.has(alert.id)) return;
    this.#known.set(alert.id, alert);
    const lane = laneOf(alert);
    this.#queues.set(lane, [...(this.#queues.get(lane) ?? []), alert]);
    this.#begin();
  }

  #begin(): void {
    for (const [lane, [next, ...rest]] of this.#queues) {
      if (this.#busy.size >= MOST_AT_A_TIME || this.#ending.signal.aborted) return;
      if (next === undefined || this.#busy.has(lane)) continue;
      if (rest.length === 0) this.#queues.delete(lane);
      else this.#queues.set(lane, rest);
      this.#busy.add(lane);
      void this.#execute(next).then((outcome) => {
        this.#busy.delete(lane);
        this.#note(next, outcome);
        this.#begin();
      });
    }
  }

  #note({ id, alert, path }: AgentAlert, { detail, ...outcome }: AlertOutcome): void {
    this.#known.delete(id);
    // What ends with this process is given to the next one.
    if (this.#ending.signal.aborted) return;
    const said = detail === undefined || detail === '' ? {} : { detail: beginningOf(carriableText(detail), LIMITS.reasonChars) };
    if (outcome.outcome !== 'done')
      this.parts.logger.warn({ alert, path, ...outcome, ...said }, 'the program of an alert did not end well');
    this.#ended.set(id, { id, ...outcome, ...said });
    this.#wake();
    this.#tell();
  }

  /** Tells what has ended; one request at a time, beside the one that waits. */
  #tell(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    void this.#telling()
      .catch((error: unknown) => this.#retryIn(error))
      .finally(() => {
        this.#isTelling = false;
      });
  }

  async #telling(): Promise<void> {
    const { session, server } = this.parts;
    while (this.#ended.size > 0 && !this.#ending.signal.aborted) {
      const joined = session();
      if (joined === undefined) return;
      const ended = [...this.#ended.values()].slice(0, LIMITS.alerts);
      await server.alerts(joined.url, { incarnation: joined.incarnation, waitMs: 0, known: [], ended }, RETRY_MS * 2, this.#ending.signal);
      for (const { id } of ended) this.#ended.delete(id);
    }
  }

  async #somethingEnds(withinMs: number): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([ended, pause(withinMs, undefined, { ref: false })]);
  }

  async #execute(alert: AgentAlert): Promise<AlertOutcome> {
    try {
      const { id, path, timeoutMs, timestampFormat, atMs, variables } = alert;
      const refused = this.#refusalOf(alert);
      if (refused !== undefined) return notRun(refused);
      const began = performance.now();
      const filled = await this.#filled(alert);
      if ('problem' in filled) return notRun(filled.problem);
      const left = Math.max(1, Math.ceil(timeoutMs - (performance.now() - began)));
      const request = { path, timeoutMs: left, timestampFormat, atMs, variables, options: filled.options, sequence: id };
      const { user } = this.parts;
      const control = { abort: this.#ending.signal, ...(user === undefined ? {} : { user }) };
      const outcome = await runAlert(request, this.parts.host, control);
      return outcome.detail === undefined ? outcome : { ...outcome, detail: masked(outcome.detail, filled.secrets) };
    } catch (error) {
      return notRun(error instanceof Error ? error.message : String(error));
    }
  }

  /** A path that leads elsewhere than it looks is no name that a list could allow. */
  #refusalOf({ path, options }: AgentAlert): string | undefined {
    if (!path.startsWith('/') || posix.normalize(path) !== path) return `${path} is no absolute path without . and ..: give one`;
    const not = optionsNotGiven(options);
    if (not.length > 0)
      return `the options ${not.join(', ')} can not be given to a program, or decide what it loads: take them from the alert`;
    return this.parts.allowed?.refusalOf({ class: 'alert', type: path });
  }

  /** Puts the values of secrets in the place of references. */
  async #filled({
    alert,
    options,
    secrets = {},
    withheld = {},
    timeoutMs,
  }: AgentAlert): Promise<
    { readonly options: Record<string, string>; readonly secrets: readonly string[] } | { readonly problem: string }
  > {
    const filled: Record<string, string> = {};
    const values: string[] = [];
    for (const [name, text] of Object.entries(options)) {
      if (Object.hasOwn(withheld, text)) return { problem: `the secret for ${name}: ${withheld[text] ?? ''}` };
      const asked = { resource: alert, parameter: name, withinMs: Math.max(1, timeoutMs / 2), abort: this.#ending.signal };
      const value = Object.hasOwn(secrets, text)
        ? ({ ok: true, value: secrets[text] ?? '' } as const)
        : await this.parts.secrets.find(text, asked);
      if (value?.ok === false) return { problem: `the secret for ${name}: ${value.problem}` };
      filled[name] = value?.value ?? text;
      if (value !== undefined && value.value !== '') values.push(value.value);
    }
    return { options: filled, secrets: values };
  }

  /** @returns ms until it asks again */
  #retryIn(error: unknown): number {
    if (this.#ending.signal.aborted) return 0;
    const isUsual = error instanceof ServerUnavailable || error instanceof ServerRefused;
    const problem = error instanceof Error ? error.message : String(error);
    this.parts.logger[isUsual ? 'info' : 'warn']({ problem }, 'alerts could not be asked for, or told of; it is tried again');
    if (error instanceof ServerRefused && error.statusCode === 404) return REFUSED_MS;
    return error instanceof ServerUnavailable ? Math.max(RETRY_MS, error.retryAfterMs) : RETRY_MS;
  }
}

function laneOf({ alert, recipient }: AgentAlert): string {
  return `${alert}\n${recipient ?? ''}`;
}

function notRun(detail: string): AlertOutcome {
  return { outcome: 'not-run', detail, execMs: 0 };
}
