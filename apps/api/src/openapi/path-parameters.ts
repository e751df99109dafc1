import type { OpenAPIObject } from '@nestjs/swagger';

/** What stands in a path, by its name: a name means the same wherever it stands, but for `id` and `name`, which are of what they come after. */
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  cluster: 'Id or name of the cluster.',
  'configuration/{collection}/{id}': 'Id of the element.',
  'tokens/{id}': 'Id of the token.',
  'secrets/{id}': 'Id of the secret, as references have it.',
  'webhooks/{id}': 'Id of the webhook.',
  'deliveries/{delivery}': 'Id of the delivery.',
  'attributes/{name}': 'Name of the attribute.',
  'utilization/{name}': 'Name of what is used up, e.g. `cpu`.',
  alert: 'Id of the alert.',
  node: 'Name of the node.',
  number: 'Number of the transition, from 1.',
  resource: 'Id of the resource.',
  ticket: 'Id of the ticket.',
  version: 'Version of the cluster at which the event stands.',
};

type PathItem = OpenAPIObject['paths'][string];
type Parameters = NonNullable<NonNullable<PathItem['get']>['parameters']>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** Says of the parameters in paths what they are, where the route does not. */
export function withPathParameters(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, withParameters(path, item)]));
}

function withParameters(path: string, item: PathItem): PathItem {
  const operations = METHODS.flatMap((method) => {
    const operation = item[method];
    if (operation?.parameters === undefined) return [];
    return [[method, { ...operation, parameters: describedIn(path, operation.parameters) }] as const];
  });
  return { ...item, ...Object.fromEntries(operations) };
}

function describedIn(path: string, parameters: Parameters): Parameters {
  return parameters.map((parameter) => {
    if ('$ref' in parameter || parameter.in !== 'path' || parameter.description !== undefined) return parameter;
    const { name } = parameter;
    const place = Object.keys(PATH_PARAMETERS).find((known) => known === name || (known.endsWith(`{${name}}`) && path.includes(known)));
    const description = place === undefined ? undefined : PATH_PARAMETERS[place];
    return description === undefined ? parameter : { ...parameter, description };
  });
}
