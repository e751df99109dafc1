import { ProblemError, unwrap, type components } from '@systole/api-client';
import { diffConfiguration, element, parseXml, type CollectionName, type ElementEdit, type SettingsName } from '@systole/cib';
import { because, forced, writeParams, type ForceFlags, type ReasonFlags } from '../commands/write-options.js';
import { allPages } from '../connection.js';
import { asXml } from '../xml-body.js';
import { renderChanges } from '../render/changes.js';
import type { Session } from '../session.js';
import type { Kind } from './kinds.js';

type WriteResult = components['schemas']['WriteResultDto'];

/** JSON of an element or a document, as the server shows it. */
export type Fields = Readonly<Record<string, unknown>>;

/** Something that was read, and the tag of the configuration that it was read from. */
export interface Read<T> {
  readonly value: T;
  readonly tag: string | undefined;
}

/** What a write of the configuration takes on the command line. */
export type EditFlags = ReasonFlags & ForceFlags;

function tagOf(response: Response): string | undefined {
  return response.headers.get('etag') ?? undefined;
}

/** How secrets are shown; as references when left out. */
export type SecretsShown = 'clear' | undefined;

function secretsQuery(secrets: SecretsShown): { readonly secrets?: 'clear' } {
  return secrets === undefined ? {} : { secrets };
}

/** The whole configuration as JSON. @param at a version of the cluster, a time or an age; now when undefined */
export async function readWhole(session: Session, at?: string, secrets?: SecretsShown): Promise<Read<Fields>> {
  const params = { path: { cluster: await session.cluster() }, query: { ...(at === undefined ? {} : { at }), ...secretsQuery(secrets) } };
  const headers = { accept: 'application/json' };
  const answer = await session.client.GET('/v1/clusters/{cluster}/configuration', { params, headers });
  return { value: unwrap(answer) as unknown as Fields, tag: tagOf(answer.response) };
}

/** The whole configuration as XML text. */
export async function readWholeXml(session: Session, at?: string, secrets?: SecretsShown): Promise<Read<string>> {
  const params = { path: { cluster: await session.cluster() }, query: { ...(at === undefined ? {} : { at }), ...secretsQuery(secrets) } };
  const headers = { accept: 'application/xml' };
  const answer = await session.client.GET('/v1/clusters/{cluster}/configuration', { params, headers, parseAs: 'text' });
  return { value: unwrap(answer), tag: tagOf(answer.response) };
}

/** What the API answers of a kind: the elements of a collection, all pages of them, or a section. */
export async function readKind(session: Session, kind: Kind, at?: string, secrets?: SecretsShown): Promise<Fields> {
  const cluster = await session.cluster();
  const moment = at === undefined ? {} : { at };
  const headers = { accept: 'application/json' };
  if ('settings' in kind) {
    const params = { path: { cluster }, query: moment };
    return unwrap(await session.client.GET(`/v1/clusters/{cluster}/configuration/${kind.settings}`, { params, headers })) as Fields;
  }
  const { collection, element: only } = kind;
  const query = { ...moment, ...secretsQuery(secrets), ...(only === undefined ? {} : { element: [only] as never }) };
  const items = await allPages(async (page) => {
    const params = { path: { cluster, collection }, query: { ...query, ...page } };
    return unwrap(await session.client.GET('/v1/clusters/{cluster}/configuration/{collection}', { params }));
  });
  return { items };
}

/** @throws {ProblemError} 404 */
export async function readElement(session: Session, collection: CollectionName, id: string, secrets?: SecretsShown): Promise<Read<Fields>> {
  const params = { path: { cluster: await session.cluster(), collection, id }, query: secretsQuery(secrets) };
  const headers = { accept: 'application/json' };
  const answer = await session.client.GET('/v1/clusters/{cluster}/configuration/{collection}/{id}', { params, headers });
  return { value: unwrap(answer) as unknown as Fields, tag: tagOf(answer.response) };
}

/** As {@link readElement}; undefined for what is not there. */
export async function findElement(session: Session, collection: CollectionName, id: string): Promise<Read<Fields> | undefined> {
  try {
    return await readElement(session, collection, id);
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404 && error.problem?.type.endsWith('/element-not-found') === true)
      return undefined;
    throw error;
  }
}

export async function readElementXml(
  session: Session,
  collection: CollectionName,
  id: string,
  secrets?: SecretsShown,
): Promise<Read<string>> {
  const params = { path: { cluster: await session.cluster(), collection, id }, query: secretsQuery(secrets) };
  const headers = { accept: 'application/xml' };
  const answer = await session.client.GET('/v1/clusters/{cluster}/configuration/{collection}/{id}', { params, headers, parseAs: 'text' });
  return { value: unwrap(answer), tag: tagOf(answer.response) };
}

/** Options or defaults, by their section. */
export async function readSettings(session: Session, name: SettingsName): Promise<Read<Fields>> {
  const { value, tag } = await readWhole(session);
  return { value: (value[name] ?? {}) as Fields, tag };
}

/** What every write of the configuration is sent with. @param tag of what it rests on; without it, it holds whatever the configuration is */
async function writing(session: Session, flags: EditFlags, tag = '*') {
  const { query, header } = writeParams(flags);
  const ifMatch = header['If-Match'] ?? tag;
  const params = {
    path: { cluster: await session.cluster() },
    query: { ...query, ...because(flags), ...forced(flags) },
    header: { 'If-Match': ifMatch },
  };
  return { ifMatch, params };
}

/**
 * Makes edits as one event. @param tag of what they rest on; without it they hold whatever the configuration is
 * @throws {ProblemError} after the difference was shown, when the configuration was changed since
 */
export async function edit(session: Session, edits: readonly ElementEdit[], flags: EditFlags, tag?: string): Promise<WriteResult> {
  const { ifMatch, params } = await writing(session, flags, tag);
  const body = { edits: edits as never };
  return refusingLostUpdates(session, ifMatch, async () =>
    unwrap(await session.client.POST('/v1/clusters/{cluster}/configuration/batch', { params, body })),
  );
}

/** Makes the configuration that of a document, or of `<configuration>`. @param tag of what it rests on @returns what was done, or with `--dry-run` would be */
export async function replaceWhole(
  session: Session,
  content: { readonly json: Fields } | { readonly xml: string },
  flags: EditFlags,
  tag: string | undefined,
): Promise<WriteResult> {
  const { ifMatch, params } = await writing(session, flags, tag);
  const body = 'xml' in content ? asXml(content.xml) : { body: content.json };
  return refusingLostUpdates(session, ifMatch, async () =>
    unwrap(await session.client.PUT('/v1/clusters/{cluster}/configuration', { params, ...(body as { readonly body: never }) })),
  );
}

/** Shows what others have changed since, when a write is refused for that. @throws what the write throws */
export async function refusingLostUpdates<T>(session: Session, ifMatch: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ProblemError && error.status === 412 && !session.json) {
      for (const line of await changedSince(session, ifMatch)) session.terminal.complain(line);
    }
    throw error;
  }
}

/** What was changed since a version that a tag names; nothing where it is not known any more. */
async function changedSince(session: Session, tag: string): Promise<readonly string[]> {
  const version = Number(/^"(\d+)(?:[-_][^"]*)?"$/.exec(tag)?.[1]);
  if (!Number.isSafeInteger(version) || version < 1) return [];
  try {
    const changes = await differences(session, String(version), undefined);
    return changes.length === 0 ? [] : [`Changed since version ${String(version)}:`, ...renderChanges(changes, session.paint), ''];
  } catch (error) {
    if (error instanceof ProblemError) return [];
    throw error;
  }
}

/** What was changed between two versions of the cluster, or times, or ages. @param to now when undefined */
export async function differences(session: Session, from: string, to: string | undefined): Promise<ReturnType<typeof diffConfiguration>> {
  const [before, after] = [await readWholeXml(session, from), await readWholeXml(session, to)];
  return diffConfiguration(element('cib', {}, [parseXml(before.value)]), element('cib', {}, [parseXml(after.value)]));
}
