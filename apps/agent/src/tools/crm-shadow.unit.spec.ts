import type { ToolRequest } from '@systole/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTool } from './run-tool.js';
import type { ToolResult } from './tool.js';

const CIB = `<cib epoch="1" num_updates="0" admin_epoch="0"><configuration>
  <crm_config/><nodes><node id="1" uname="n1"/></nodes>
  <resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources><constraints/>
</configuration><status/></cib>`;

const unused = (): never => {
  throw new Error('not needed');
};

/** The caller's files, and what the cluster was asked for. */
const files = new Map<string, string>();
const requests: ToolRequest[] = [];
const caller = {
  ...{ stdin: unused, write: unused, detach: unused, run: unused, file: unused, gone: new AbortController().signal },
  read: (path: string) => {
    const text = files.get(path);
    return text === undefined ? Promise.reject(new Error('No such file or directory')) : Promise.resolve(text);
  },
  create: (path: string, text: string) => void files.set(path, text),
  overwrite: (path: string, text: string) => void files.set(path, text),
  remove: (path: string) => void files.delete(path),
};

function call(shadow: string | undefined, line: string): Promise<ToolResult> {
  const [tool = '', ...args] = line.split(' ');
  const env = { CIB_shadow_dir: '/copies', ...(shadow === undefined ? {} : { CIB_shadow: shadow }) };
  return runTool(
    { tool, args, env, cwd: '/', caller },
    {
      ...{ node: 'n1', nodeId: '1', clusterName: 'west', cib: () => Promise.resolve(CIB), setAttributes: unused },
      request: (request) => {
        requests.push(request);
        return Promise.resolve({ changed: true });
      },
      transient: { read: unused, own: { get: () => undefined, names: [], set: unused } },
    },
  );
}

const FORCE = 'the --force flag is required in order to proceed';

describe('a shadow copy', () => {
  beforeEach(async () => {
    files.clear();
    requests.length = 0;
    expect(await call(undefined, 'crm_shadow -b -c try')).toMatchObject({
      exitCode: 0,
      stdout:
        'Setting up shadow instance\nA new shadow instance was created.  To begin using it paste the following into your shell:\n  CIB_shadow=try ; export CIB_shadow\n',
    });
  });

  it('is a file of the caller’s, which all tools ask and change in the place of the cluster', async () => {
    expect([...files]).toEqual([['/copies/shadow.try', CIB]]);
    expect(await call('try', 'crm_shadow -w')).toMatchObject({ stdout: 'try\n', exitCode: 0 });
    expect(await call('try', 'crm_shadow -F')).toMatchObject({ stdout: '/copies/shadow.try\n', exitCode: 0 });
    expect(await call('try', 'crm_shadow -d')).toMatchObject({ stdout: '', exitCode: 0 });
    for (const line of [
      'crm_attribute -n no-quorum-policy -v freeze',
      'crm_resource -r db -p state -v /x',
      'crm_resource --ban -r db -N n1',
      'crm_standby -v on -N n1',
      'cibadmin -M -X <primitive/>'
        .replace('<primitive/>', '<primitive id="db" description="x"/>')
        .replaceAll(' description', '\tdescription')
        .replace('<primitive id', '<primitive\tid'),
    ])
      expect([line, (await call('try', line)).exitCode]).toEqual([line, 0]);
    const written = files.get('/copies/shadow.try') ?? '';
    for (const part of ['value="freeze"', 'value="/x"', 'cli-ban-db-on-n1', 'name="standby" value="on"', 'description="x"'])
      expect(written).toContain(part);
    expect(await call('try', 'crm_attribute -n no-quorum-policy -G -q')).toMatchObject({ stdout: 'freeze\n' });
    expect(await call('try', 'crm_shadow -d')).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('freeze') as string });
    expect(requests).toEqual([]);
  });

  it('is committed as a whole when that is forced, and stays', async () => {
    await call('try', 'crm_attribute -n no-quorum-policy -v freeze');
    expect(await call('try', 'crm_shadow -C try')).toMatchObject({ exitCode: 64, stderr: expect.stringContaining(FORCE) as string });
    expect(requests).toEqual([]);
    expect(await call('try', 'crm_shadow -f -C try')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('unset CIB_shadow') as string,
    });
    expect(requests).toMatchObject([{ ask: 'change-document', changes: [{ operation: 'replace' }] }]);
    expect(JSON.stringify(requests)).toContain('freeze');
    expect(files.has('/copies/shadow.try')).toBe(true);
  });

  it('is not lost by mistake', async () => {
    expect(await call(undefined, 'crm_shadow -b -c try')).toMatchObject({ exitCode: 73, stderr: expect.stringContaining(FORCE) as string });
    expect(await call(undefined, 'crm_shadow -D try')).toMatchObject({ exitCode: 64 });
    expect(files.size).toBe(1);
    expect(await call(undefined, 'crm_shadow -f -D try')).toMatchObject({ exitCode: 0 });
    expect(files.size).toBe(0);
  });

  it('that there is not is told of, and nothing is asked of the cluster in its place', async () => {
    for (const line of ['crm_attribute -n no-quorum-policy -v stop', 'crm_resource -L', 'crm_shadow -d', 'crm_shadow -p', 'cibadmin -Q'])
      expect([line, (await call('none', line)).exitCode]).toEqual([line, 105]);
    for (const line of ['crm_shadow -f -C none', 'crm_shadow -b -s none', 'crm_shadow -b -r none'])
      expect([line, (await call(undefined, line)).exitCode]).toEqual([line, 105]);
    expect(requests).toEqual([]);
  });
});
