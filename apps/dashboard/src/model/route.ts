/** What the page shows, by the fragment of its address: `#/` or `#/clusters/<name>`. */
export type Route = { readonly page: 'clusters' } | { readonly page: 'cluster'; readonly cluster: string };

export function routeOf(hash: string): Route {
  const match = /^#\/clusters\/([^/]+)$/.exec(hash);
  const cluster = match?.[1] === undefined ? undefined : decoded(match[1]);
  return cluster === undefined ? { page: 'clusters' } : { page: 'cluster', cluster };
}

export function linkTo(route: Route): string {
  return route.page === 'clusters' ? '#/' : `#/clusters/${encodeURIComponent(route.cluster)}`;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
