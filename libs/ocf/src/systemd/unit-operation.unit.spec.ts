import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runUnitOperation } from './unit-operation.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'systole-unit-'));
  // A systemd that knows one unit, and can be kept from reading its files.
  const systemctl = `#!/bin/sh
cd ${directory}
echo "$1" >>asked
case $1 in
show) printf 'LoadState=loaded\\nActiveState=%s\\nDropInPaths=%s\\n' "$(cat active)" "$(cat read)" ;;
daemon-reload) [ ! -e stubborn ] && ls -d "$PWD"/units/web.service.d/* >read ;;
start) echo active >active ;;
esac
`;
  writeFileSync(join(directory, 'systemctl'), systemctl, { mode: 0o755 });
  writeFileSync(join(directory, 'active'), 'inactive');
  writeFileSync(join(directory, 'read'), '');
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

async function start(): Promise<{ readonly rc: number; readonly asked: readonly string[] }> {
  writeFileSync(join(directory, 'asked'), '');
  const resource = { id: 'web', class: 'systemd', type: 'web' };
  const { rc } = await runUnitOperation(
    { resource, operation: 'start', intervalMs: 0, timeoutMs: 10_000, parameters: {}, meta: {} },
    {
      access: { systemctl: join(directory, 'systemctl'), runtimeUnits: join(directory, 'units'), agentUnit: 'agent.service' },
      unit: 'web.service',
      isService: true,
    },
    {
      directories: { ocfRoots: [], lsb: '', fence: [] },
      environment: { inherited: { PATH: '/usr/bin:/bin' }, resourceTmp: directory, varRun: directory },
    },
    {},
  );
  return { rc, asked: readFileSync(join(directory, 'asked'), 'utf8').trim().split('\n') };
}

it('a unit is not started before systemd has read that it is the cluster that restarts it, though that was written by a start that failed', async () => {
  writeFileSync(join(directory, 'stubborn'), '');
  expect(await start()).toEqual({ rc: 1, asked: ['show', 'daemon-reload'] });
  expect(await start()).toEqual({ rc: 1, asked: ['show', 'daemon-reload'] });
  rmSync(join(directory, 'stubborn'));
  expect(await start()).toEqual({ rc: 0, asked: ['show', 'daemon-reload', 'start', 'show'] });
});

it('what systemd has read is not read again', async () => {
  await start();
  writeFileSync(join(directory, 'active'), 'inactive');
  expect(await start()).toEqual({ rc: 0, asked: ['show', 'start', 'show'] });
});
