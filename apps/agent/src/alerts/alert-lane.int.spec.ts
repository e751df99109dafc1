import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SYSTEM_AGENT_DIRECTORIES } from '@systole/ocf';
import type { AgentAlert, AlertEnd, AlertsAnswer, AlertsRequest } from '@systole/protocol';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AllowList } from '../programs/allow-list.js';
import { ServerUnavailable } from '../server/server-connection.js';
import { AlertLane, type AlertLaneParts } from './alert-lane.js';

const HOST = {
  directories: SYSTEM_AGENT_DIRECTORIES,
  environment: { inherited: { PATH: '/usr/bin:/bin' }, resourceTmp: '/tmp', varRun: '/tmp' },
  killGraceMs: 100,
};

/** Hands out what waits, as the server does, to whoever does not name it. */
class ScriptedServer {
  readonly waiting = new Map<number, AgentAlert>();
  readonly ended: AlertEnd[] = [];
  /** Answers that are lost. */
  losing = 0;

  async alerts(_: string, { known, ended }: AlertsRequest): Promise<AlertsAnswer> {
    await sleep(5);
    for (const end of ended) {
      this.ended.push(end);
      this.waiting.delete(end.id);
    }
    const alerts = ended.length > 0 ? [] : [...this.waiting.values()].filter(({ id }) => !known.includes(id));
    if (this.losing > 0) {
      this.losing -= 1;
      throw new ServerUnavailable('lost', { retryAfterMs: 0 });
    }
    if (alerts.length === 0 && ended.length === 0) await sleep(20);
    return { alerts };
  }
}

describe('alerts on a node', () => {
  let directory = '';
  let stop = new AbortController();
  let running: Promise<void> | undefined;
  let server = new ScriptedServer();
  let number = 0;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'systole-alert-lane-'));
    stop = new AbortController();
    server = new ScriptedServer();
    number = 0;
  });
  afterEach(async () => {
    stop.abort();
    await running;
    await rm(directory, { recursive: true, force: true });
  });

  function begin(parts: Partial<AlertLaneParts> = {}): void {
    const lane = new AlertLane({
      ...{ host: HOST, server, session: () => ({ url: 'http://server', incarnation: 1 }), logger: pino({ level: 'silent' }) },
      secrets: { find: () => Promise.resolve(undefined) },
      ...parts,
    });
    running = lane.run(stop.signal);
  }

  async function program(script: string): Promise<string> {
    const path = join(directory, `program-${String(++number)}`);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  }

  function ask(path: string, changes: Partial<AgentAlert> = {}): number {
    const id = ++number;
    server.waiting.set(id, {
      ...{ id, alert: 'a', path, timeoutMs: 5_000, timestampFormat: '%s', atMs: 0, variables: { CRM_alert_kind: 'node' }, options: {} },
      ...changes,
    });
    return id;
  }

  async function ends(count: number): Promise<readonly AlertEnd[]> {
    for (let attempt = 0; attempt < 1_000 && server.ended.length < count; attempt++) await sleep(20);
    return server.ended;
  }

  const lines = async (): Promise<readonly string[]> =>
    (await readFile(join(directory, 'log'), 'utf8').catch(() => '')).split('\n').filter(Boolean);

  it('run one after the other for each recipient, in order, and beside each other for several', async () => {
    const slow = await program(
      `echo begin $1$CRM_alert_node_sequence >>${directory}/log; sleep 0.2; echo end $CRM_alert_node_sequence >>${directory}/log`,
    );
    const quick = await program(`echo quick >>${directory}/log`);
    const [one, two] = [ask(slow), ask(slow)];
    ask(quick, { recipient: 'other' });
    begin();
    await ends(3);
    const log = await lines();
    expect(log.filter((line) => line !== 'quick')).toEqual([
      `begin ${String(one)}`,
      `end ${String(one)}`,
      `begin ${String(two)}`,
      `end ${String(two)}`,
    ]);
    expect(log.indexOf('quick')).toBeLessThan(log.indexOf(`end ${String(two)}`));
  });

  it('run once when answers are lost on both ways, and their end is told until it was heard', { timeout: 30_000 }, async () => {
    const path = await program(`echo run >>${directory}/log; while [ ! -e ${directory}/go ]; do sleep 0.01; done`);
    const id = ask(path);
    server.losing = 1;
    begin();
    await sleep(100);
    expect(await lines(), 'the answer that gave it was lost').toEqual([]);
    while ((await lines()).length === 0) await sleep(5);
    server.losing = 2;
    await writeFile(join(directory, 'go'), '');
    await ends(2);
    expect(await lines()).toEqual(['run']);
    expect(new Set(server.ended.map((end) => [end.id, end.outcome].join(' ')))).toEqual(new Set([`${String(id)} done`]));
  });

  it('that a process of the agent did not end are run by the next one', async () => {
    const path = await program(`echo run >>${directory}/log; sleep 30`);
    ask(path);
    begin();
    while ((await lines()).length === 0) await sleep(20);
    stop.abort();
    await running;
    expect(server.ended).toEqual([]);
    stop = new AbortController();
    begin();
    while ((await lines()).length < 2) await sleep(20);
  });

  it('run only programs that the node allows, by their whole path', async () => {
    const allowed = await program('exit 0');
    const allowList = new AllowList([`alert:${allowed}`, 'ocf']);
    begin({ allowed: allowList });
    ask(allowed);
    ask(await program('exit 0'));
    ask(`${directory}/../${directory.slice(5)}/x`);
    const found = await ends(3);
    expect(found.map(({ outcome }) => outcome).sort()).toEqual(['done', 'not-run', 'not-run']);
    expect(found.map(({ detail }) => detail ?? '').join('\n')).toMatch(/alert:\S+ may not run on this node[^]*|no absolute path/);
  });

  it('are given the values of secrets, and never tell them', async () => {
    const path = await program('echo "$token is wrong" >&2; exit 1');
    const reference = `systole-secret:${'0'.repeat(32)}`;
    begin();
    ask(path, { options: { token: reference }, secrets: { [reference]: 'hush-hush' } });
    expect((await ends(1))[0]).toMatchObject({ outcome: 'failed', rc: 1, detail: '******** is wrong' });
    ask(path, { options: { token: reference }, withheld: { [reference]: 'it was erased' } });
    expect((await ends(2))[1]).toMatchObject({ outcome: 'not-run', detail: 'the secret for token: it was erased' });
  });

  it('are not given what would decide which program runs', async () => {
    begin();
    ask(await program('exit 0'), { options: { LD_PRELOAD: '/x' } });
    expect((await ends(1))[0]).toMatchObject({ outcome: 'not-run', detail: expect.stringContaining('LD_PRELOAD') as string });
  });
});
