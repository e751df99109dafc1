import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded, type Embedded } from '@systole/embedded';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const TOOLS = join(ROOT, 'bin/tools');
const TOKEN = 'an-admin-token-for-pacemakers-tools';
const CIB = `<cib validate-with="pacemaker-3.9" admin_epoch="0" epoch="1" num_updates="0"><configuration>
  <crm_config><cluster_property_set id="options"><nvpair id="fencing-off" name="stonith-enabled" value="false"/></cluster_property_set></crm_config>
  <nodes><node id="1" uname="n1"/></nodes>
  <resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources><constraints/></configuration><status/></cib>`;

let database: ScratchDatabase;
let server: Embedded;
let directory: string;

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Types a command line as an operator on any machine would. */
async function type(line: string, environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const settings = { SYSTOLE_SERVER: server.url, SYSTOLE_TOKEN: TOKEN, SYSTOLE_CONFIG: join(directory, 'none') };
  const env = { ...settings, PATH: `${TOOLS}:${process.env['PATH'] ?? ''}`, ...environment };
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', line], { env, cwd: directory }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'systole-operator-'));
  database = await createScratchDatabase();
  server = await startEmbedded({ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: TOKEN });
  writeFileSync(join(directory, 'cib.xml'), CIB);
  expect(await type(`node '${ROOT}/apps/cli/bin/systole.js' cluster create west --cib cib.xml`)).toMatchObject({ code: 0 });
}, 120_000);

afterAll(async () => {
  await server.stop();
  await database.drop();
  rmSync(directory, { recursive: true, force: true });
});

describe("Pacemaker's tools for an operator, away from every node", () => {
  it.each([
    ['crm_resource --list', 0, 'db\t(ocf:systole:Dummy):\t Stopped'],
    ['crm_resource -r db --locate', 0, 'resource db is NOT running'],
    ['cibadmin --query --xpath "//primitive[@id=\'db\']"', 0, '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>'],
    ['crm_attribute --name stonith-enabled --query -q', 0, 'false'],
    ['crm_mon -1r', 0, 'Full List of Resources:\n  * db\t(ocf:systole:Dummy):\t Stopped'],
    ['crm_mon --output-as=xml', 0, '<pacemaker-result api-version'],
    ['crm_verify --live-check', 0, ''],
    ['cibadmin -Q | crm_verify -p', 0, ''],
    ['crm_simulate -L | head -2', 0, 'Current cluster status'],
    ['crm_failcount --query -r db -N n1', 0, 'scope=status  name=fail-count-db value=0'],
  ])('%s', async (line, code, out) => {
    const ended = await type(line);
    expect(ended).toMatchObject({ code, out: expect.stringContaining(out) as string });
  });

  it('write what the API lets them write, and the log says who did', async () => {
    expect(await type('crm_attribute --node n1 --name site --update berlin')).toMatchObject({ code: 0 });
    expect(await type('crm_attribute --node n1 --name site --query --quiet')).toMatchObject({ code: 0, out: 'berlin\n' });
    expect(await type('crm_attribute --node n1 --name site --delete')).toMatchObject({ code: 0 });
    expect(await type('crm_attribute --node n1 --name site --query')).toMatchObject({ code: 105 });
  });

  it('set attributes of tickets, by the command line and by the tool', async () => {
    const systole = `node '${ROOT}/apps/cli/bin/systole.js'`;
    expect(await type(`${systole} ticket set T owner=me site=b`)).toMatchObject({ code: 0 });
    expect(await type('crm_ticket -t T -G owner')).toMatchObject({ code: 0, out: 'me\n' });
    expect(await type(`${systole} ticket set T owner=`)).toMatchObject({ code: 0 });
    expect(await type('crm_ticket -t T -G owner')).toMatchObject({ code: 105 });
    expect(await type(`${systole} ticket set T granted=true`)).not.toMatchObject({ code: 0 });
  });

  it('apply what differs between two documents, as pcs has it done, and wait', async () => {
    await type(
      'cibadmin -Q > before.xml; sed "s/<constraints\\/>/<constraints><rsc_location id=\\"l\\" rsc=\\"db\\" node=\\"n1\\" score=\\"5\\"\\/><\\/constraints>/" before.xml > after.xml',
    );
    expect(await type('crm_diff --original before.xml --new after.xml --no-version > patch.xml')).toMatchObject({ code: 1 });
    expect(await type('cibadmin --patch --xml-pipe < patch.xml')).toMatchObject({ code: 0 });
    expect(await type('cibadmin -Q --xpath "//rsc_location"')).toMatchObject({
      code: 0,
      out: expect.stringContaining('score="5"') as string,
    });
    expect(await type('cibadmin -D --xpath "//rsc_location"; cibadmin -P -x patch.xml && cibadmin -P -x patch.xml')).toMatchObject({
      code: 78,
    });
    expect(await type('crm_resource --wait --timeout 20s')).toMatchObject({ code: 0 });
  });

  it('keep a page in the background', async () => {
    expect(await type('crm_mon -d -p mon.pid -i 1 -h page.html; sleep 0.2; test -f mon.pid')).toMatchObject({ code: 0 });
    const page = join(directory, 'page.html');
    await expect.poll(() => existsSync(page) && readFileSync(page, 'utf8'), { timeout: 20_000 }).toContain('No active resources');
    process.kill(Number(readFileSync(join(directory, 'mon.pid'), 'utf8')), 'SIGTERM');
    await expect.poll(() => existsSync(join(directory, 'mon.pid')), { timeout: 10_000 }).toBe(false);
  });

  it('fail as without a cluster where no server answers, and as denied without a right', async () => {
    expect(await type('crm_mon -1', { SYSTOLE_SERVER: 'http://127.0.0.1:1', SYSTOLE_TIMEOUT: '1' })).toMatchObject({ code: 102 });
    expect(await type('crm_mon -1', { SYSTOLE_TOKEN: 'wrong' })).toMatchObject({ code: 4 });
  });
});
