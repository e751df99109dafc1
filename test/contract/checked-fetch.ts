import { apiDocument } from './api-document.js';
import { ResponseContract } from './response-contract.js';

/**
 * Every answer of a Systole server that a test gets by `fetch` is compared with the OpenAPI document; one that the document does not have fails the test, because `fetch` then throws.
 * Ours are known by their X-Request-Id, which the servers that tests make themselves do not send.
 */
const contract = new ResponseContract(apiDocument(new URL('../../', import.meta.url)));
const OURS = /^\/(v1|health|metrics)(\/|$)/;
const send = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const response = await send(input, init);
  const { url, method: asked } = input instanceof Request ? input : { url: input, method: 'GET' };
  const method = init?.method ?? asked;
  const { pathname } = new URL(url);
  if (!OURS.test(pathname) || !response.headers.has('x-request-id')) return response;
  const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '');
  // What is cut off is for the test to see.
  const text = isJson
    ? await response
        .clone()
        .text()
        .catch(() => undefined)
    : undefined;
  const fault = contract.faultOf({
    method: method.toUpperCase(),
    path: pathname,
    status: response.status,
    headers: response.headers,
    ...(text === undefined ? {} : { text }),
  });
  if (fault !== undefined) {
    const told = text === undefined ? '' : `: ${text.slice(0, 500)}`;
    throw new Error(`the OpenAPI document does not have this answer to ${method} ${pathname} (${response.status}): ${fault}${told}`);
  }
  return response;
};
