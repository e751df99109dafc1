import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import { addressIn, type AddressPolicy } from './address-policy.js';

/** What becomes of one attempt. Times in ms. */
export type Attempt =
  | { readonly outcome: 'delivered'; readonly status: number; readonly answer: string; readonly durationMs: number }
  | {
      readonly outcome: 'failed';
      /** Of the answer; undefined when there was none. */
      readonly status?: number;
      readonly answer?: string;
      /** For people. */
      readonly error: string;
      readonly durationMs: number;
      /** The receiver says that it wants nothing any more (410). */
      readonly gone?: true;
    };

export interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** PEM, instead of the authorities that are usually trusted. */
  readonly authorities?: string;
}

export interface SendingLimits {
  readonly policy: AddressPolicy;
  /** From the beginning to the end of the answer, ms. */
  readonly timeoutMs: number;
}

/** So much of an answer is read; the rest is nobody's business. */
const MOST_ANSWER_BYTES = 1_024;

/**
 * Posts a message. Never rejects. Only 2xx counts; redirects are not followed, so that nobody is led elsewhere; certificates are verified. The address is judged when it is connected to, after its name was
 * resolved: a name that leads elsewhere the second time is no way round.
 */
export async function send({ url, headers, body, authorities }: Sending, { policy, timeoutMs }: SendingLimits): Promise<Attempt> {
  const begun = performance.now();
  const durationMs = (): number => Math.round(performance.now() - begun);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const target = new URL(url);
    const address = addressIn(target.hostname);
    // Nothing is resolved for an address, so that nothing would be judged.
    if (address !== undefined && !policy.allows(address)) throw new AddressRefused(target.hostname, address);
    const options: RequestOptions = {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Systole-Webhooks/1',
      },
      lookup: judgedLookup(policy),
      // A connection of its own: none is kept to a receiver that is asked seldom, and its address is judged each time.
      agent: false,
      signal,
    };
    const secure = { ...options, rejectUnauthorized: true, ...(authorities === undefined ? {} : { ca: authorities }) };
    const response = await answered(target, target.protocol === 'https:' ? secure : options, body);
    const status = response.statusCode ?? 0;
    const answer = await beginningOf(response);
    if (status >= 200 && status < 300) return { outcome: 'delivered', status, answer, durationMs: durationMs() };
    const error = `answered ${String(status)}${status >= 300 && status < 400 ? ': redirects are not followed' : ''}`;
    return { outcome: 'failed', status, answer, error, durationMs: durationMs(), ...(status === 410 ? { gone: true } : {}) };
  } catch (error) {
    const text = signal.aborted ? `no answer within ${String(timeoutMs)} ms` : textOf(error);
    return { outcome: 'failed', error: text.slice(0, 500), durationMs: durationMs() };
  }
}

/** Nothing is sent there. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor(host: string, address: string) {
    super(`${host} leads to ${address}, where nothing is sent to unless SYSTOLE_WEBHOOK_ALLOW names it`);
  }
}

type LookedUp = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** Resolves a name, and refuses it when any of its addresses is refused: which of them is taken is chosen elsewhere. */
function judgedLookup(policy: AddressPolicy): (hostname: string, options: LookupOptions, callback: LookedUp) => void {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const refused = policy.allowsHost(hostname) ? undefined : addresses.find(({ address }) => !policy.allows(address));
      const [first] = addresses;
      if (refused !== undefined || first === undefined) callback(new AddressRefused(hostname, refused?.address ?? 'nowhere'), []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function answered(target: URL, options: RequestOptions, body: string): Promise<IncomingMessage> {
  return new Promise((answer, fail) => {
    const request = (target.protocol === 'https:' ? secureRequest : plainRequest)(target, options, answer);
    request.on('error', fail);
    request.end(body);
  });
}

/** As text that the database holds. The status has said what counts: a body that breaks off, or does not come, is as long as it is. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= MOST_ANSWER_BYTES) break;
    }
  } catch {
    // Broken off.
  }
  response.destroy();
  return Buffer.concat(pieces).subarray(0, MOST_ANSWER_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.message === '') return error.errors.map(textOf).join('; ');
  return error.message === '' ? error.name : error.message;
}
