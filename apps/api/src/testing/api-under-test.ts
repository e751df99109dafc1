import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureKeyFile } from '@systole/control-plane-postgres';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { createApi, type Api } from '../create-api.js';
import type { ApiConfig } from '../api-config.js';

export const ADMIN = 'admin-token-of-the-test-suite';

/** An answer as a test looks at it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: Json;
}

/** JSON of an answer; tests say what they expect of it. */
export type Json = Readonly<Record<string, unknown>>;

export interface CallOptions {
  readonly token?: string | null;
  readonly body?: unknown;
  /** Sent as it is, with this type. */
  readonly raw?: { readonly type: string; readonly body: string | Uint8Array };
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A real API on a database of its own. */
export interface ApiUnderTest {
  readonly api: Api;
  readonly database: ScratchDatabase;
  /** With the admin's token when none is given, without any for `null`. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** The secret of a new token. */
  token(role: 'viewer' | 'operator' | 'admin', name: string): Promise<string>;
  /** Makes a cluster. @returns its id */
  cluster(name: string, cib?: string): Promise<string>;
  /** The secret of a new agent token. */
  agent(cluster: string, node: string): Promise<string>;
  close(): Promise<void>;
}

export async function apiUnderTest(config: Partial<ApiConfig> = {}): Promise<ApiUnderTest> {
  const database = await createScratchDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'systole-api-'));
  const secretsKeyFile = join(directory, 'secrets.key');
  await ensureKeyFile(secretsKeyFile);
  const api = await createApi({ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: ADMIN, secretsKeyFile, ...config });
  const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> => send(api.url, method, path, options);
  const made = new Map<string, string>();
  const created = async (path: '/v1/clusters' | '/v1/tokens', body: Json & { readonly name: string }): Promise<Json> => {
    // A test that gets a second chance asks for the same names again: what its first try left makes room.
    const former = made.get(`${path} ${body.name}`);
    if (former !== undefined) await call('DELETE', `${path}/${former}`, { headers: { 'if-match': '*' } });
    const answer = await call('POST', path, { body });
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    made.set(`${path} ${body.name}`, String(answer.json['id']));
    return answer.json;
  };
  return {
    api,
    database,
    call,
    token: async (role, name) => String((await created('/v1/tokens', { role, name }))['secret']),
    cluster: async (name, cib) => String((await created('/v1/clusters', { name, ...(cib === undefined ? {} : { cib }) }))['id']),
    agent: async (cluster, node) =>
      String((await created('/v1/tokens', { role: 'agent', name: `agent-${node}`, cluster, node }))['secret']),
    close: async () => {
      await api.close();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function send(url: string, method: string, path: string, options: CallOptions): Promise<Answer> {
  const { token = ADMIN, body, raw, headers = {}, signal } = options;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(raw === undefined ? {} : { 'content-type': raw.type }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(raw === undefined ? {} : { body: raw.body }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: jsonIn(text) };
}

function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}

/** A small cluster: two nodes, a fence device, a service. */
export const CIB = `<cib crm_feature_set="3.20.5" validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0">
  <configuration>
    <crm_config>
      <cluster_property_set id="cib-bootstrap-options">
        <nvpair id="option-dc-deadtime" name="dc-deadtime" value="1s"/>
      </cluster_property_set>
    </crm_config>
    <nodes>
      <node id="1" uname="n1"/>
      <node id="2" uname="n2"/>
    </nodes>
    <resources>
      <!-- the service -->
      <primitive id="web" class="ocf" provider="systole" type="Dummy">
        <operations>
          <op id="web-monitor" name="monitor" interval="10s" timeout="5s"/>
        </operations>
      </primitive>
      <primitive id="fence" class="stonith" type="fence_systole_demo"/>
    </resources>
    <constraints>
      <rsc_location id="web-on-n1" rsc="web" node="n1" score="50"/>
    </constraints>
  </configuration>
  <status/>
</cib>
`;
