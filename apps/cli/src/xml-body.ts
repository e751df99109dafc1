/** A request's body that is XML, for the client, which would make JSON of it. */
export function asXml(document: string): {
  readonly body: string;
  readonly bodySerializer: (body: unknown) => unknown;
  readonly headers: { readonly 'content-type': string };
} {
  return { body: document, bodySerializer: (body) => body, headers: { 'content-type': 'application/xml' } };
}
