import { gzipSync } from 'node:zlib';
import { send, type Answered } from './api-calls.js';
import { costlyCib } from './costly-cib.js';

/** Clusters at which viewers look. */
export interface Viewed {
  /** In which the agents are. */
  readonly small: string;
  /** Of many resources and long events. */
  readonly large: string;
}

export type Ask = (url: string, token: string, viewed: Viewed) => Promise<Answered>;

const COSTLY = costlyCib(1_500, 32);
const BOMB = gzipSync(`{"element":"cib","children":[${'{"element":"a"},'.repeat(4_000_000)}{"element":"a"}]}`);
const WIDE = `{"element":"cib","children":[${'{"element":"a"},'.repeat(500_000)}{"element":"a"}]}`;

const get =
  (path: string): Ask =>
  (url, token, { small, large }) =>
    send(url, 'GET', path.replace('SMALL', `/v1/clusters/${small}`).replace('LARGE', `/v1/clusters/${large}`), token);

/** The costliest things that a viewer may ask. */
export const COSTLY_REQUESTS: readonly Ask[] = [
  (url, token) => send(url, 'POST', '/v1/simulate?explain=true&parts=true', token, { body: { type: 'application/xml', content: COSTLY } }),
  (url, token) => send(url, 'POST', '/v1/simulate', token, { body: { type: 'application/json', content: BOMB, encoding: 'gzip' } }),
  (url, token) => send(url, 'POST', '/v1/simulate', token, { body: { type: 'application/json', content: WIDE } }),
  get('LARGE/cib'),
  get('LARGE/status'),
  get('LARGE/explanation?parts=true'),
  get('LARGE/events?limit=1000'),
  get('LARGE/status?version=2'),
  get('LARGE/nodes'),
  get('SMALL/cib'),
  get('SMALL/status'),
  get('SMALL/explanation?parts=true'),
  get('SMALL/events?limit=1000'),
  get('SMALL/status?version=1'),
];
