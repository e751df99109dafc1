import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout } from '@systole/examples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onEach, placesOf, WorkloadLab } from './lab/workload-lab.js';

const SAMPLES = '/usr/share/pacemaker/alerts';
const MIBS = join(checkout, 'test/workloads/agents/mibs');
/** The client, which receives mail and traps. */
const RECEIVER = '192.0.2.1';

/** The sample names the sender by `-r`, as sendmail, postfix and exim take it; msmtp, which says at once when nobody takes the mail, knows it by `-f` only. */
const SENDMAIL = '#!/bin/sh\n[ "$1 $2" = "-t -r" ] || exit 64\nexec /usr/bin/msmtp -t -f "$3"\n';

const CIB = `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>
  <crm_config><cluster_property_set id="options"><nvpair id="options-name" name="cluster-name" value="harbour"/></cluster_property_set></crm_config>
  <nodes><node id="1" uname="alpha"/><node id="2" uname="bravo"/><node id="3" uname="charlie"/></nodes>
  <resources><primitive id="db" class="ocf" provider="pacemaker" type="Dummy"><operations><op id="db-monitor" name="monitor" interval="2s" timeout="20s"/></operations></primitive></resources>
  <constraints><rsc_location id="db-on-alpha" rsc="db" node="alpha" score="100"/></constraints>
  <alerts>
    <alert id="mail" path="/usr/local/bin/alert_smtp.sh">
      <instance_attributes id="mail-o"><nvpair id="mail-o-s" name="email_sender" value="cluster@example.org"/></instance_attributes>
      <recipient id="mail-admin" value="admin@example.org"/>
    </alert>
    <alert id="trap" path="/usr/local/bin/alert_snmp.sh">
      <meta_attributes id="trap-m"><nvpair id="trap-m-f" name="timestamp-format" value="%Y-%m-%d,%H:%M:%S.%01N"/></meta_attributes>
      <recipient id="trap-station" value="${RECEIVER}"/>
    </alert>
  </alerts>
</configuration></cib>`;

let lab: WorkloadLab;
let stop = (): Promise<void> => Promise.resolve();

beforeAll(async () => {
  const mibs = await Promise.all((await readdir(MIBS)).map(async (name) => [name, await readFile(join(MIBS, name), 'utf8')] as const));
  lab = await WorkloadLab.start({
    cib: CIB,
    prepare: (nodes) =>
      onEach(nodes, async (node) => {
        for (const name of ['alert_smtp.sh', 'alert_snmp.sh'])
          await node.run(`install --mode 755 ${SAMPLES}/${name}.sample /usr/local/bin/${name}`);
        await node.run('rm /usr/sbin/sendmail; cat >/usr/sbin/sendmail; chmod 755 /usr/sbin/sendmail', SENDMAIL);
        await node.run('cat >/etc/msmtprc', `account default\nhost ${RECEIVER}\nport 25\nauto_from off\nsyslog off\n`);
        for (const [name, text] of mibs) await node.run(`cat >/usr/share/snmp/mibs/${name}`, text);
        await node.run('cat >/etc/snmp/snmp.conf', 'mibs ALL\n');
        // Debian's package leaves the directory above to root, and the program runs as hacluster: what it says about that would hide what it has to say.
        await node.run('install --directory --owner hacluster --group haclient /var/lib/pacemaker/snmp');
      }),
  });
  stop = () => lab.stop();
  for (const [name, text] of mibs) await lab.outside.run(`cat >/usr/share/snmp/mibs/${name}`, text);
  await lab.outside.run('snmptrapd -m ALL -On --disableAuthorization=yes -Lf /var/tmp/traps -p /run/snmptrapd.pid udp:162');
  await startMailServer();
}, 600_000);
afterAll(() => stop());

/** Python's own small server, which writes down what it is given. */
async function startMailServer(): Promise<void> {
  await lab.outside.run(
    `setsid python3 -u -W ignore -m smtpd -n -c DebuggingServer 0.0.0.0:25 >>/var/tmp/mails 2>&1 </dev/null & echo $! >/run/smtpd.pid; for i in $(seq 100); do (exec 3<>/dev/tcp/127.0.0.1/25) 2>/dev/null && exit 0; sleep 0.1; done; exit 1`,
  );
}

const received = async (file: 'mails' | 'traps'): Promise<string> => (await lab.outside.attempt(`cat /var/tmp/${file}`)).stdout;
const arrives = async (file: 'mails' | 'traps', what: RegExp): Promise<void> =>
  expect.poll(() => received(file), { timeout: 90_000, interval: 500 }).toMatch(what);
const failing = async (): Promise<readonly string[]> =>
  (await lab.status()).troubles.flatMap(({ code, text }) => (code === 'alerts-failing' ? [text] : []));

describe("Debian's alert_smtp.sh and alert_snmp.sh, with a real mail program, a small mail server and snmptrapd", () => {
  it('tell of a failed resource, of its recovery, and of a node that is lost and fenced', async () => {
    await lab.settled('db runs', (now) => placesOf(now, 'db').join() === 'alpha');
    await lab
      .node('alpha')
      .run('rm -f /run/systole-agent/rsctmp/Dummy-db.state /run/resource-agents/Dummy-db.state /var/run/Dummy-db.state');
    await arrives(
      'mails',
      /Subject: \d\d:\d\d:\d\d\.\d{6} harbour: Resource operation 'monitor \(2000\)' for 'db' on 'alpha': not running/,
    );
    await arrives('mails', /From: cluster@example\.org[^]*To: admin@example\.org/);
    await arrives('mails', /Subject: .* harbour: Resource operation 'start' for 'db' on 'alpha': ok/);
    // The MIB of Pacemaker: node, resource, operation, description, status, code, expected code.
    const trap = '1\\.3\\.6\\.1\\.4\\.1\\.32723\\.1';
    await arrives('traps', new RegExp(`${trap}\\S* = STRING: "alpha"[^\\n]*"db"[^\\n]*"monitor"[^\\n]*"not running"[^\\n]*INTEGER: 7`));
    await lab.node('charlie').cutPower();
    await arrives('mails', /harbour: Node 'charlie' is now 'lost'/);
    await arrives('mails', /harbour: Fencing Operation \S+ of charlie by \S+ .*: OK/);
    await arrives('traps', /"charlie"[^\n]*"lost"/);
    await arrives('traps', /"charlie"[^\n]*"st_notify_fence"/);
    expect(await failing()).toEqual([]);
    await lab.node('charlie').switchOn();
    await lab.settled('charlie is back', ({ nodes }) => nodes.every(({ online }) => online));
  }, 300_000);

  it('are told to be failing while the mail server is away, and to work when it is back', async () => {
    await lab.outside.run('kill $(cat /run/smtpd.pid)');
    const { code, stdout } = await lab.trySystole('alert', 'test', 'mail', '--node', 'bravo');
    expect(code, stdout).toBe(1);
    await expect
      .poll(failing, { timeout: 30_000 })
      .toEqual([expect.stringMatching(/mail on bravo \(exit code \d+: .*could not send mail/)]);
    expect((await lab.trySystole('status')).stdout).toMatch(/mail on bravo \(exit code/);
    await startMailServer();
    await lab.systole('alert', 'test', 'mail', '--node', 'bravo');
    await expect.poll(failing, { timeout: 30_000 }).toEqual([]);
    const events = (await lab.trySystole('events', '--limit', '60')).stdout;
    expect(events).toMatch(/alert mail for mail-admin on bravo: exit code/);
    expect(events).toMatch(/alert mail for mail-admin on bravo works again/);
  }, 300_000);

  it('alert_snmp.sh exits with 0 whatever its program says: the list of runs shows what that was', async () => {
    await lab.configure((xml) =>
      xml.replace(
        '<recipient id="trap-station"',
        '<instance_attributes id="trap-o"><nvpair id="trap-o-b" name="trap_binary" value="/bin/false"/></instance_attributes><recipient id="trap-station"',
      ),
    );
    const { stdout } = await lab.trySystole('alert', 'test', 'trap', '--node', 'bravo');
    expect(stdout).toMatch(/done\s+\/bin\/false returned error/);
  }, 120_000);
});
