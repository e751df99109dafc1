import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { createApi, type Api } from '@systole/api';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { checkout } from '@systole/examples';
import { generate } from 'orval';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ADMIN = 'admin-token-of-generated-clients';
const DOCUMENT = join(checkout, 'openapi/openapi.json');
/** Within the checkout, so that what the clients import is found. */
const SCRATCH = join(checkout, 'test/dist/generated-clients');

/** As somebody would compile them who is strict, in a project of their own. */
const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ['**/*.ts'],
};

/** A program on the client that openapi-typescript makes. */
const PROGRAM = `import createClient from 'openapi-fetch';
import type { components, paths } from './schema';

export async function troubles(baseUrl: string): Promise<readonly components['schemas']['TroubleDto'][]> {
  const client = createClient<paths>({ baseUrl });
  const { data, error } = await client.GET('/v1/clusters/{cluster}/status', { params: { path: { cluster: 'web' } } });
  if (data === undefined) throw new Error(error.detail);
  if (typeof data === 'string') throw new Error('the XML was not asked for');
  return data.troubles;
}
`;

/** What is used here of hey-api's client. */
interface HeyApi {
  readonly createCluster: (asked: object) => Promise<Answered>;
  readonly listClusters: (asked: object) => Promise<Answered>;
  readonly getStatus: (asked: object) => Promise<Answered>;
}
interface Answered {
  readonly data?: unknown;
  readonly error?: unknown;
}

describe('clients that are generated from the OpenAPI document', () => {
  let database: ScratchDatabase;
  let api: Api;
  beforeAll(async () => {
    await rm(SCRATCH, { recursive: true, force: true });
    await mkdir(join(SCRATCH, 'openapi-typescript'), { recursive: true });
    const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'] as const;
    await createClient({ input: DOCUMENT, output: join(SCRATCH, 'hey-api'), plugins: [...plugins], logs: { level: 'silent' } });
    await generate({ input: { target: DOCUMENT }, output: { target: join(SCRATCH, 'orval/client.ts'), client: 'fetch' } });
    const schema = astToString(await openapiTS(new URL(`file://${DOCUMENT}`)));
    await writeFile(join(SCRATCH, 'openapi-typescript/schema.ts'), schema);
    await writeFile(join(SCRATCH, 'openapi-typescript/program.ts'), PROGRAM);
    await writeFile(join(SCRATCH, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    database = await createScratchDatabase();
    api = await createApi({ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: ADMIN });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  it('compile strictly: those of hey-api, orval and openapi-typescript', () => {
    const { stdout, status } = spawnSync(process.execPath, [join(checkout, 'node_modules/typescript/bin/tsc'), '-p', SCRATCH], {
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  it('do what they say: that of hey-api makes a cluster, finds it, and is told what is wrong', async () => {
    const client = (await import(join(SCRATCH, 'hey-api/index.ts'))) as HeyApi;
    const asking = { baseUrl: api.url, auth: ADMIN };
    const made = await client.createCluster({ ...asking, body: { name: 'web' } });
    expect(made).toMatchObject({ data: { name: 'web', version: 1 } });
    expect(await client.listClusters(asking)).toMatchObject({ data: { items: [{ name: 'web' }] } });
    expect(await client.getStatus({ ...asking, path: { cluster: 'web' } })).toMatchObject({ data: { name: 'web' } });
    const unknown = await client.getStatus({ ...asking, path: { cluster: 'nobody' } });
    expect(unknown).toMatchObject({ error: { type: 'https://systole.dev/problems/cluster-not-found', status: 404 } });
  });
});
