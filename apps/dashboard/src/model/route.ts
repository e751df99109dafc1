/** What the page shows, by the fragment of its address: `#/`, `#/clusters/<name>` or `#/clusters/<name>/resources/<id>`. */
export type Route =
  | { readonly page: 'clusters' }
  | { readonly page: 'cluster'; readonly cluster: string }
  | { readonly page: 'resource'; readonly cluster: string; readonly resource: string };

export function routeOf(hash: string): Route {
  const match = /^#\/clusters\/([^/]+)(?:\/resources\/([^/]+))?$/.exec(hash);
  const cluster = decoded(match?.[1]);
  if (cluster === undefined) return { page: 'clusters' };
  const resource = decoded(match?.[2]);
  return resource === undefined ? { page: 'cluster', cluster } : { page: 'resource', cluster, resource };
}

export function linkTo(route: Route): string {
  if (route.page === 'clusters') return '#/';
  const cluster = `#/clusters/${encodeURIComponent(route.cluster)}`;
  return route.page === 'cluster' ? cluster : `${cluster}/resources/${encodeURIComponent(route.resource)}`;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
