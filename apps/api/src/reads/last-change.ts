import { Injectable } from '@nestjs/common';
import type { XmlElement } from '@systole/cib';
import type { ClusterEvent, ClusterState } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import { dateText, type LastChange } from '@systole/simulator';
import { OURSELVES, secondsOf } from './monitor-words.js';

/** Who changed the configuration of a cluster last. It is looked up in the events, so that of one version it is always the same. */
@Injectable()
export class LastChanges {
  /** Trees never change: of one that was given out, the same is given out again. */
  readonly #documents = new WeakMap<XmlElement, XmlElement>();

  constructor(private readonly store: EventStore<ClusterEvent>) {}

  /** @param state as read, of now or of the past */
  async of(clusterId: string, { configuredAt }: Pick<ClusterState, 'configuredAt'>): Promise<LastChange | undefined> {
    if (configuredAt === 0) return undefined;
    const [event] = await this.store.readStream(clusterId, { fromVersion: configuredAt, toVersion: configuredAt });
    if (event === undefined) return undefined;
    const client = event.type === 'ConfigurationChanged' ? event.data.command : event.type;
    return { at: secondsOf(event.occurredAt), user: event.actor, client, origin: OURSELVES };
  }

  /** The CIB with its last change as Pacemaker writes it into its own: `cib-last-written` (UTC), `update-origin`, `update-client`, `update-user`. */
  async documented(clusterId: string, state: Pick<ClusterState, 'configuredAt' | 'cib'>): Promise<XmlElement> {
    const known = this.#documents.get(state.cib);
    if (known !== undefined) return known;
    const change = await this.of(clusterId, state);
    const document = change === undefined ? state.cib : withChange(state.cib, change);
    this.#documents.set(state.cib, document);
    return document;
  }
}

function withChange(cib: XmlElement, { at, user, client, origin }: LastChange): XmlElement {
  const attributes = {
    ...cib.attributes,
    ...{ 'cib-last-written': dateText(at), 'update-origin': origin, 'update-client': client, 'update-user': user },
  };
  return { ...cib, attributes };
}
