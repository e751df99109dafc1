import { describe, expect, it } from 'vitest';
import { inheritableEnvironment, ocfEnvironment, type NodeEnvironment } from './environment.js';
import type { AgentOperation } from './resource.js';

const node: NodeEnvironment = {
  inherited: { PATH: '/usr/bin' },
  toolDirectory: '/run/agent/bin',
  resourceTmp: '/run/agent/rsctmp',
  varRun: '/run/agent/run',
  extra: { SYSTOLE_AGENT_SOCKET: '/run/agent/tools.sock' },
};

const monitor: AgentOperation = {
  resource: { id: 'db:1', class: 'ocf', provider: 'heartbeat', type: 'pgsql' },
  operation: 'monitor',
  intervalMs: 10_000,
  timeoutMs: 20_000,
  parameters: { pgdata: '/srv/db' },
  meta: {},
};

describe('the environment of an OCF agent', () => {
  it('names the resource, the agent and the API version', () => {
    expect(ocfEnvironment(monitor, '/usr/lib/ocf', node)).toMatchObject({
      OCF_ROOT: '/usr/lib/ocf',
      OCF_RA_VERSION_MAJOR: '1',
      OCF_RA_VERSION_MINOR: '1',
      OCF_RESOURCE_INSTANCE: 'db:1',
      OCF_RESOURCE_TYPE: 'pgsql',
      OCF_RESOURCE_PROVIDER: 'heartbeat',
      OCF_EXIT_REASON_PREFIX: 'ocf-exit-reason:',
      LC_ALL: 'C',
    });
  });

  it('carries parameters as they are and meta variables with underscores', () => {
    const env = ocfEnvironment({ ...monitor, meta: { 'CRM_meta_clone-max': '2', crm_feature_set: '3.20.5' } }, '/usr/lib/ocf', node);
    expect(env).toMatchObject({
      OCF_RESKEY_pgdata: '/srv/db',
      OCF_RESKEY_CRM_meta_clone_max: '2',
      OCF_RESKEY_crm_feature_set: '3.20.5',
    });
  });

  it('tells the operation and its times when the server does not', () => {
    const named = { OCF_RESKEY_CRM_meta_name: 'monitor', OCF_RESKEY_CRM_meta_interval: '10000', OCF_RESKEY_CRM_meta_timeout: '20000' };
    expect(ocfEnvironment(monitor, '/usr/lib/ocf', node)).toMatchObject(named);
    const env = ocfEnvironment({ ...monitor, meta: { CRM_meta_timeout: '5000' } }, '/usr/lib/ocf', node);
    expect(env['OCF_RESKEY_CRM_meta_timeout']).toBe('5000');
  });

  it('leads agents to the tools and directories of this node', () => {
    expect(ocfEnvironment(monitor, '/usr/lib/ocf', node)).toMatchObject({
      PATH: '/run/agent/bin:/usr/bin',
      HA_SBIN_DIR: '/run/agent/bin',
      HA_RSCTMP: '/run/agent/rsctmp',
      HA_VARRUN: '/run/agent/run',
      SYSTOLE_AGENT_SOCKET: '/run/agent/tools.sock',
    });
  });

  it('passes the check level under its own name only, to whatever action it is set for', () => {
    const env = ocfEnvironment({ ...monitor, parameters: { OCF_CHECK_LEVEL: '10' } }, '/usr/lib/ocf', node);
    expect(env['OCF_CHECK_LEVEL']).toBe('10');
    expect(env).not.toHaveProperty('OCF_RESKEY_OCF_CHECK_LEVEL');
    const start = ocfEnvironment({ ...monitor, operation: 'start', parameters: { OCF_CHECK_LEVEL: '5' } }, '/usr/lib/ocf', node);
    expect(start['OCF_CHECK_LEVEL']).toBe('5');
  });
});

describe('what agents inherit', () => {
  it('is free of the secrets and settings of the node agent', () => {
    const env = { PATH: '/bin', PGDATA: '/x', SYSTOLE_TOKEN: 'secret', NODE_OPTIONS: '--inspect', OCF_RESKEY_a: '1', HA_RSCTMP: '/y' };
    expect(inheritableEnvironment(env)).toEqual({ PATH: '/bin', PGDATA: '/x' });
  });
});
