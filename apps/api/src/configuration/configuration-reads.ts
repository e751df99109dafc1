import { Injectable } from '@nestjs/common';
import type { OperatorPrincipal } from '@systole/access';
import {
  COLLECTION_NAMES,
  elementWithId,
  firstChildNamed,
  serializeXml,
  type CollectionName,
  type PlacedElement,
  type XmlElement,
} from '@systole/cib';
import { unchangedSince } from '@systole/cluster';
import type { Request, Response } from 'express';
import { ClusterHistory } from '../reads/cluster-history.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { FrontKeeps } from '../front/front-keeps.js';
import { HttpProblem } from '../http/problem.js';
import type { Form } from '../http/etag.js';
import { acceptedForm, answerBy } from '../http/revalidation.js';
import { ClearSecrets } from '../reads/clear-secrets.js';

/** Which configuration is read, and for whom. */
export interface ConfigurationRead {
  /** Id or name. */
  readonly cluster: string;
  /** A version of the cluster, a moment or an age; the newest when undefined. */
  readonly at: string | undefined;
  /** To whom secrets are to be shown; undefined: to nobody. */
  readonly clearFor?: OperatorPrincipal | undefined;
  readonly response: Response;
  /** What it can be had as; JSON and XML when left out. */
  readonly as?: Form;
}

/** Whoever asks, where they ask for secrets. */
export function clearFor(operator: OperatorPrincipal, { secrets }: { readonly secrets?: 'clear' }): Pick<ConfigurationRead, 'clearFor'> {
  return secrets === undefined ? {} : { clearFor: operator };
}

/** Reads of the configuration: its `ETag` is what a write of it may be sent with, and moves with changes of the configuration only. */
@Injectable()
export class ConfigurationReads {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly history: ClusterHistory,
    private readonly clear: ClearSecrets,
    private readonly front: FrontKeeps,
  ) {}

  /** @throws {HttpProblem} 404 for a cluster or a version that is not there, 403 for who may not see secrets and asks for them */
  configuration(read: ConfigurationRead): Promise<XmlElement> {
    return this.#found(read, (configuration) => configuration);
  }

  /** @throws {HttpProblem} 404 for what is not there */
  element(read: ConfigurationRead, collection: CollectionName, id: string): Promise<PlacedElement> {
    return this.#found(read, (configuration) => {
      const found = elementWithId(configuration, collection, id);
      if (found !== undefined) return found;
      const detail = `there is nothing with the id "${id.slice(0, 100)}" in ${collection}`;
      throw new HttpProblem(404, 'element-not-found', detail, { errors: [{ parameter: 'id', detail }] });
    });
  }

  /** What is asked for is looked for before anything is said of its version: conditions count for what is there. */
  async #found<T>({ cluster, at, clearFor, response, as }: ConfigurationRead, find: (configuration: XmlElement) => T): Promise<T> {
    const { id } = await this.lookup.find(cluster);
    const { state, head } = await this.history.asked(id, at === undefined ? {} : { at });
    const configuration = firstChildNamed(state.cib, 'configuration') ?? {
      kind: 'element',
      name: 'configuration',
      attributes: {},
      children: [],
    };
    const found = find(clearFor === undefined ? configuration : await this.clear.shown(id, configuration, clearFor));
    answerBy(response.vary('Accept'), unchangedSince(state, state.configurationVersion), as ?? acceptedForm(response.req));
    if (clearFor === undefined) this.front.tell(response, id, head);
    else response.set('cache-control', 'no-store');
    return found;
  }
}

/** The name of a collection in a path. @throws {HttpProblem} 404 */
export function collectionNamed(text: string): CollectionName {
  const found = COLLECTION_NAMES.find((name) => name === text);
  if (found !== undefined) return found;
  const detail = `there is no ${text.slice(0, 100)} in a configuration: there are ${COLLECTION_NAMES.join(', ')}`;
  throw new HttpProblem(404, 'collection-not-found', detail, { errors: [{ parameter: 'collection', detail }] });
}

/**
 * Answers with an element as JSON, or as XML where that is preferred.
 *
 * @throws {HttpProblem} 406
 */
export function sendElement(request: Request, response: Response, element: XmlElement, json: object): void {
  switch (acceptedForm(request)) {
    case 'json':
      response.json(json);
      return;
    case undefined:
      throw new HttpProblem(406, 'not-acceptable', 'an element can be had as application/json or application/xml');
    default:
      response.type('application/xml').send(serializeXml(element));
  }
}
