import { unwrap, type SystoleClient } from '@systole/api-client';

/**
 * One attempt to change the configuration as it is now.
 *
 * @returns version of the stream with the change; that there was nothing to change; or that it was refused, as when somebody else was faster
 * @throws when there is no answer
 */
export async function tryToChange(
  client: SystoleClient,
  cluster: string,
  edit: (cib: string) => string,
  reason: string,
): Promise<number | 'unchanged' | 'refused'> {
  const path = { cluster };
  const read = await client.GET('/v1/clusters/{cluster}/cib', {
    params: { path },
    headers: { accept: 'application/xml' },
    parseAs: 'text',
  });
  const before = unwrap(read);
  const cib = edit(before);
  if (cib === before) return 'unchanged';
  const answer = await client.PUT('/v1/clusters/{cluster}/cib', {
    params: { path, query: { reason }, header: { 'If-Match': read.response.headers.get('etag') ?? '' } },
    headers: { 'content-type': 'application/xml' },
    body: cib,
    bodySerializer: (body: unknown) => String(body),
  });
  return answer.data === undefined ? 'refused' : answer.data.version;
}
