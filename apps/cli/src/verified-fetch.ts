import { readTlsFiles } from '@systole/certificates';
import type { Agent, BodyInit } from 'undici';
import { UsageError } from './exit-code.js';

/**
 * `fetch` for a server that is verified by the authorities in a file and by no others, whatever the environment says.
 *
 * @throws {UsageError} for a server that is not asked by HTTPS; each request, when the file does not hold what it should
 */
export function fetchVerifiedBy(
  server: string,
  file: string,
): (request: Request, options: { readonly signal: AbortSignal }) => Promise<Response> {
  if (!server.startsWith('https:')) throw new UsageError(`${server} is plain HTTP: with --ca (SYSTOLE_CA_FILE) the server is https://`);
  let made: Promise<Agent> | undefined;
  return async (request, { signal }) => {
    const dispatcher = await (made ??= dispatcherFor(file));
    const { fetch: fetchThrough } = await import('undici');
    const { url, method, body } = request;
    const content = body === null ? {} : { body: body as BodyInit, duplex: 'half' as const };
    return fetchThrough(url, { method, headers: [...request.headers], ...content, signal, dispatcher });
  };
}

async function dispatcherFor(file: string): Promise<Agent> {
  const { ca = '' } = await readTlsFiles({ authorities: file }).catch((error: unknown) => {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  });
  // Large, and needed by few: loaded only then.
  const { Agent } = await import('undici');
  return new Agent({ connect: { ca, rejectUnauthorized: true, minVersion: 'TLSv1.2' } });
}
