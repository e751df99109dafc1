import fc from 'fast-check';
import { routesOf, type ApiDocument, type Parameter, type Route } from '../api-document.js';
import { hostileBody, hostileName, hostileText, hostileValue } from './hostile-values.js';
import { knownName, ValuesOfSchema } from './values-of-schema.js';

/** A request as it is sent; `{cluster}` in its path stands for the cluster of the turn. */
export interface FuzzRequest {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What the cluster of the turn is called in the paths that are made. */
export const CLUSTER = '{cluster}';

/** Whose answers never end, or wait for what nobody does here. */
const ENDLESS = /wait|timeout/;
/** These wait in any case, for agents that are not here: no longer than a second. */
const WAITING = /^(?:restart|relocate)Resources?$/;

/** Requests to all operations: right ones, nearly right ones, and hostile ones. */
export function requestsTo(document: ApiDocument): fc.Arbitrary<FuzzRequest> {
  const values = new ValuesOfSchema(document);
  return fc.oneof(...routesOf(document).map((route) => requestTo(route, values)));
}

function requestTo({ method, path, operation }: Route, values: ValuesOfSchema): fc.Arbitrary<FuzzRequest> {
  const { parameters = [], requestBody, operationId } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query' && !ENDLESS.test(parameter.name));
  return fc
    .record({
      parts: fc.record(Object.fromEntries(inPath.map((parameter) => [parameter.name, pathPart(parameter, values)]))),
      query: queryOf(inQuery, values),
      headers: headersOf(method),
      body: requestBody === undefined ? strayBody(method) : bodyOf(requestBody.content, values),
    })
    .map(({ parts, query, headers, body }) => ({
      operationId,
      method: method.toUpperCase(),
      path: path.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? ''),
      query: WAITING.test(operationId) ? [...query, ['timeout', '1'] as const] : query,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': body.type }) },
      ...(body === undefined ? {} : { body: body.text }),
    }));
}

function pathPart({ name, schema }: Parameter, values: ValuesOfSchema): fc.Arbitrary<string> {
  if (name === 'cluster') return mostly(fc.constant(CLUSTER), hostileText.map(encoded));
  const right = Array.isArray(schema['enum'])
    ? values.of(schema).map(String)
    : fc.oneof(knownName, fc.constantFrom('1', '2', '999999999999999999'));
  return mostly(right, fc.oneof(hostileText.map(encoded), fc.constantFrom('%', '%zz', '%c0%af', '%00', '.', '..', '%2e%2e')));
}

function queryOf(parameters: readonly Parameter[], values: ValuesOfSchema): fc.Arbitrary<FuzzRequest['query']> {
  const each = parameters.map(({ name, schema }) =>
    fc
      .option(mostly(values.of(schema).map(textIn), hostileText, 12), { nil: undefined, freq: 2 })
      .map((value) => (value === undefined ? [] : [[name, value] as const])),
  );
  const strange = oneIn(30, fc.tuple(fc.oneof(hostileName, fc.constant('nosuch')), hostileText)).map((entry) =>
    entry === undefined ? [] : [entry],
  );
  return fc.tuple(...each, strange).map((all) => all.flat());
}

function headersOf(method: string): fc.Arbitrary<Readonly<Record<string, string>>> {
  return fc
    .record({
      accept: oneIn(4, fc.constantFrom('application/json', 'application/xml', '*/*', 'text/html', 'image/png', 'text/vnd.graphviz', 'x')),
      'if-match':
        method === 'get'
          ? fc.constant(undefined)
          : fc.oneof(
              { weight: 6, arbitrary: fc.constant('*') },
              { weight: 1, arbitrary: fc.constantFrom('"1"', 'W/"1"', '"x"', 'x', undefined) },
            ),
      'idempotency-key': method === 'get' ? fc.constant(undefined) : oneIn(10, fc.constantFrom('k1', 'k2', 'a b', 'x'.repeat(300))),
      'if-none-match': oneIn(20, fc.constantFrom('*', '"1"', '"', 'x')),
      'last-event-id': oneIn(20, fc.constantFrom('1', '1.0000000000000000', '99999999', 'x', '-1')),
      'x-request-id': oneIn(20, fc.constantFrom('mine', 'x'.repeat(500))),
    })
    .map((all) => Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))));
}

interface Body {
  readonly type: string;
  readonly text: string;
}

function bodyOf(
  content: NonNullable<Route['operation']['requestBody']>['content'],
  values: ValuesOfSchema,
): fc.Arbitrary<Body | undefined> {
  const media = Object.entries(content).map(([type, { schema }]) =>
    type.includes('xml')
      ? fc.record({ type: fc.constant(type), text: fc.oneof(fc.constantFrom(...XML), hostileBody) })
      : fc.record({ type: fc.constant(type), text: nearly(values.of(schema)).map(json) }),
  );
  const hostile = fc.record({
    type: fc.constantFrom(
      'application/json',
      'application/xml',
      'text/plain',
      'application/json; charset=utf-16',
      'application/merge-patch+json',
      'x',
    ),
    text: fc.oneof(hostileBody, hostileValue.map(json)),
  });
  return fc.oneof(
    { weight: 6, arbitrary: fc.oneof(...media) },
    { weight: 1, arbitrary: hostile },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** Where no body is asked for. */
function strayBody(method: string): fc.Arbitrary<Body | undefined> {
  if (method === 'get') return fc.constant(undefined);
  const body = fc.record({ type: fc.constant('application/json'), text: fc.oneof(fc.constant('{}'), hostileBody) });
  return oneIn(10, body);
}

const XML: readonly string[] = [
  '<primitive id="new" class="ocf" provider="systole" type="Dummy"/>',
  '<group id="g"><primitive id="g1" class="ocf" provider="systole" type="Dummy"/></group>',
  '<rsc_location id="l" rsc="web" node="n1" score="INFINITY"/>',
  '<cib crm_feature_set="3.20.5" validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes><node id="1" uname="n1"/></nodes><resources/><constraints/></configuration><status/></cib>',
];

/** A value as it is, or with something in it that does not fit: one replaced, one taken away, one added. */
function nearly(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const spoilt = fc
    .record({ value, bad: hostileValue, name: hostileName, place: fc.nat(), how: fc.constantFrom('replace', 'remove', 'add') })
    .map(({ value: whole, bad, name, place, how }) => spoil(whole, { bad, name, how }, place));
  return mostly(value, spoilt, 3);
}

interface Spoiling {
  readonly bad: unknown;
  readonly name: string;
  readonly how: 'replace' | 'remove' | 'add';
}

/** @param place of the object or list to be spoilt, counted somehow */
function spoil(value: unknown, spoiling: Spoiling, place: number): unknown {
  const { bad, name, how } = spoiling;
  if (Array.isArray(value) && value.length > 0) {
    const at = place % value.length;
    return value.map((one: unknown, index) => (index === at ? spoil(one, spoiling, Math.floor(place / value.length)) : one));
  }
  if (typeof value !== 'object' || value === null) return bad;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>).filter(([, one]) => one !== undefined);
  if (how === 'add' || entries.length === 0) return Object.fromEntries([...entries, [name, bad]]);
  const at = place % entries.length;
  const isDeeper = place % 3 !== 0;
  return Object.fromEntries(
    entries.flatMap(([key, one], index) => {
      if (index !== at) return [[key, one]];
      if (isDeeper && typeof one === 'object' && one !== null) return [[key, spoil(one, spoiling, Math.floor(place / entries.length))]];
      return how === 'remove' ? [] : [[key, bad]];
    }),
  );
}

/** Seldom there. */
function oneIn<T>(times: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

function mostly<T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>, weight = 9): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: right }, { weight: 1, arbitrary: wrong });
}

function json(value: unknown): string {
  return JSON.stringify(value ?? null);
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : json(value);
}

/** In a path; half a surrogate pair has no encoding, so its bytes are sent as they would stand there. */
function encoded(text: string): string {
  return text === '' ? '%20' : encodeURIComponent(text.toWellFormed().slice(0, 1_000));
}
