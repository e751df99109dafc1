import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './schema.js';

export interface SystoleClientOptions {
  /** Where the server is, without `/v1`: `http://localhost:3000`. */
  readonly baseUrl: string;
  /** A bearer token. */
  readonly token: string;
  /** Instead of the global one; for tests and proxies. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Typed by the OpenAPI document: `client.GET('/v1/clusters/{cluster}', {params: {path: {cluster}}})`. */
export type SystoleClient = Client<paths>;

/** A client of the server's HTTP API. Refusals come back as `error`; see {@link unwrap} for those who would rather have them thrown. */
export function createSystoleClient({ baseUrl, token, fetch }: SystoleClientOptions): SystoleClient {
  return createClient<paths>({
    baseUrl,
    headers: { authorization: `Bearer ${token}` },
    ...(fetch === undefined ? {} : { fetch }),
  });
}
