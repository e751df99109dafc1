/** What is asked for again and again. */
export interface AskedRequest {
  readonly method: 'GET' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In it `TURN` stands for the number of the request. */
  readonly body?: string;
}

/** What the process that asks is told, as its first message. */
export interface RequestsTask {
  /** Base URL. */
  readonly url: string;
  readonly token: string;
  /** In turn. */
  readonly requests: readonly AskedRequest[];
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
}

/** What came of it. */
export interface RequestsOutcome {
  /** From when each was due until its answer was there as a whole, ms, ascending: what waits for others to be answered waits for the server. */
  readonly times: readonly number[];
  /** How often each status was answered; `closed`: the connection was. */
  readonly answers: Readonly<Record<string, number>>;
  /** Of bodies as they came, together. */
  readonly bytes: number;
  /** From the first until the last was answered. */
  readonly seconds: number;
  /** CPU time of the process that asked, ms. */
  readonly cpuMs: number;
}
