import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentUnderTest, testResource } from '../testing/agent-under-test.js';

const under = agentUnderTest();

describe('resource agents find the cluster tools', () => {
  it('and set node attributes with them', async () => {
    under.node.start();
    const resource = { id: 'sf', historyId: 'sf', class: 'ocf', provider: 'systole', type: 'Stateful' };
    expect(await under.run('sf', 'start', { resource })).toMatchObject({ rc: 0 });
    expect(under.server.attributes).toEqual([{ name: 'master-sf', value: '5', lifetime: 'reboot' }]);
    expect(await under.run('sf', 'promote', { resource })).toMatchObject({ rc: 0 });
    expect(await under.run('sf', 'monitor', { resource, expectedRc: 8 })).toMatchObject({ rc: 8 });
    expect(await under.run('sf', 'stop', { resource })).toMatchObject({ rc: 0 });
    expect(under.server.attributes.slice(1)).toEqual([
      { name: 'master-sf', value: '10', lifetime: 'reboot' },
      { name: 'master-sf', value: null, lifetime: 'reboot' },
    ]);
  });

  it('and ask them about the cluster', async () => {
    under.server.cib = `<cib have-quorum="1"><configuration><nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes></configuration>
      <status><node_state id="1" uname="n1" crmd="online" join="member"/></status></cib>`;
    const flags = under.installAgent(
      'asking',
      'crm_node -n; crm_node -l; crm_node -q; "$HA_SBIN_DIR/crm_attribute" -G -n x -l reboot -q; echo $?; cibadmin -Q -o nodes',
    );
    under.node.start(...flags);
    const { output } = await under.run('asking', 'monitor', testResource('asking'));
    expect(output).toContain('n1\n1 n1 member\n2 n2 lost\n1\n105\n<nodes>');
  });

  it('and have what is private in no CIB: the next process of the agent on the same boot knows it, and tells the servers anew', async () => {
    const flags = under.installAgent(
      'keeping',
      'if [ "$1" = start ]; then attrd_updater -n shared -U 1; attrd_updater -n secret -p -U s3cret; attrd_updater -n secret -U "$OCF_RESKEY_unset"s3cret2; fi; ' +
        'attrd_updater -n secret -Q; attrd_updater -QA -n shared; attrd_updater -Q -n none; echo "rc $?"',
    );
    const first = under.node.start(...flags);
    const seen = 'name="secret" host="n1" value="s3cret2"\nname="shared" host="n1" value="1"\n';
    const { output } = await under.run('keeping', 'start', testResource('keeping'));
    expect(output).toContain(`${seen}rc 78`);
    expect(output).toContain('attrd_updater: Could not query value of none: attribute does not exist');
    const all = [{ name: 'secret', value: 's3cret2' }];
    expect(under.server.privately.at(-1)).toEqual({ incarnation: 1, revision: 2, attributes: all });
    await first.kill();
    under.node.start(...flags);
    await expect.poll(() => under.server.privately.at(-1)).toEqual({ incarnation: 2, revision: 0, attributes: all });
    expect((await under.run('keeping', 'monitor', testResource('keeping'))).output).toContain(seen);
    expect(JSON.stringify(under.server.attributes)).not.toContain('s3cret');
    const file = join(under.node.directory, 'run', 'private-attributes');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('and the CIB is sent again only when it is another one', async () => {
    const flags = under.installAgent('asking', 'crm_node -l; crm_node -l; attrd_updater -n x -U 1; crm_attribute -l reboot -n x -G');
    under.node.start(...flags);
    const { output } = await under.run('asking', 'monitor', testResource('asking'));
    expect(output).toContain('scope=status  name=x value=1');
    expect(under.server.cibAnswers).toEqual([200, 304, 200]);
  });
});
