interface Sent {
  readonly json?: unknown;
  readonly body?: { readonly type: string; readonly content: string | Buffer; readonly encoding?: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back; `json` of a short JSON answer only, else empty. */
export interface Answered {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Characters above which an answer is read but not parsed. */
const SHORT = 10_000;

/** Sends a request and reads the whole answer. @throws what `fetch` throws when the connection is closed */
export async function send(
  base: string,
  method: string,
  path: string,
  token: string,
  { json, body, headers = {} }: Sent = {},
): Promise<Answered> {
  const content = json === undefined ? body?.content : JSON.stringify(json);
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(content === undefined ? {} : { 'content-type': body?.type ?? 'application/json' }),
      ...(body?.encoding === undefined ? {} : { 'content-encoding': body.encoding }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  });
  const text = await response.text();
  const answered: unknown = text.startsWith('{') && text.length < SHORT ? JSON.parse(text) : {};
  return { status: response.status, json: answered as Record<string, unknown> };
}

/** As {@link send}, for what must succeed. @throws {Error} with what the server said */
export async function sendOk(...call: Parameters<typeof send>): Promise<Answered['json']> {
  const { status, json } = await send(...call);
  if (status >= 300) throw new Error(`${call[1]} ${call[2]} was answered ${status}: ${JSON.stringify(json)}`);
  return json;
}
