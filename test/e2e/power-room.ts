import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CertificateAuthority } from '@systole/certificates/testing';

const SWITCH = fileURLToPath(new URL('../../agents/fence/fence_systole_demo', import.meta.url));

/** Machines by what a device calls them: the node that runs on each. */
const OUTLETS: Readonly<Record<string, string>> = { '1': 'alpha', '2': 'bravo', '3': 'charlie' };

/**
 * Counterparts of Debian's fence agents: programs and small servers that answer as `ipmitool`, `ssh` with `virsh` behind it, the SNMP tools, a Redfish controller, a
 * Docker engine and a vCenter server do. To switch a machine off is to kill the process tree of its node.
 */
export class PowerRoom {
  private readonly servers: Server[] = [];
  private readonly authority = new CertificateAuthority('power room');
  private readonly certificate = this.authority.issue('localhost', 'IP:127.0.0.1');
  private redfishPort = 0;
  private dockerPort = 0;
  private vcenterPort = 0;

  /** Machines that the Docker engine does not list. */
  readonly unlisted = new Set<string>();

  /** @param directory of the stand-ins and the state of the machines: `<node>.power` */
  private constructor(private readonly directory: string) {}

  static async open(directory: string): Promise<PowerRoom> {
    await mkdir(directory, { recursive: true });
    const room = new PowerRoom(directory);
    for (const node of Object.values(OUTLETS)) await writeFile(join(directory, `${node}.power`), 'on\n');
    for (const [name, text] of Object.entries(programs(directory))) {
      await writeFile(join(directory, name), text, { mode: 0o755 });
    }
    await writeFile(join(directory, 'identity'), '');
    await writeFile(join(directory, 'password'), '#!/bin/sh\necho secret\n', { mode: 0o755 });
    await room.serve();
    return room;
  }

  /** Plugs the nodes in. @param pidDirectory of their pid files, by which they are switched off */
  async plugIn(pidDirectory: string): Promise<void> {
    await writeFile(join(this.directory, 'piddir'), pidDirectory);
  }

  /** Instance attributes of a device of each agent that fences alpha, beside what says whom it fences. */
  parametersOf(agent: string): Readonly<Record<string, string>> {
    const at = (name: string): string => join(this.directory, name);
    switch (agent) {
      case 'fence_ipmilan':
        return { ip: '192.0.2.1', username: 'admin', password_script: at('password'), ipmitool_path: at('ipmitool'), lanplus: '1' };
      case 'fence_virsh':
        return { ip: '192.0.2.7', username: 'root', identity_file: at('identity'), ssh_path: at('ssh') };
      case 'fence_apc_snmp':
        return { ip: '192.0.2.8', snmpget_path: at('snmpget'), snmpset_path: at('snmpset'), snmpwalk_path: at('snmpwalk') };
      case 'fence_redfish':
        return {
          ...{ ip: '127.0.0.1', ipport: String(this.redfishPort), username: 'admin', password_script: at('password'), ssl_insecure: '1' },
          systems_uri: '/redfish/v1/Systems/alpha',
        };
      case 'fence_docker':
        return {
          ...{ ip: '127.0.0.1', ipport: String(this.dockerPort) },
          ...{ tlscert: this.certificate.certificate, tlskey: this.certificate.key, tlscacert: this.authority.certificate },
        };
      case 'fence_vmware_rest':
        return {
          ...{ ip: '127.0.0.1', ipport: String(this.vcenterPort), ssl_insecure: '1' },
          ...{ username: 'admin', password_script: at('password') },
        };
      default:
        throw new Error(`there is no stand-in for ${agent}`);
    }
  }

  /** Whether a machine is switched on. */
  isOn(node: string): boolean {
    return readFileSync(join(this.directory, `${node}.power`), 'utf8').trim() === 'on';
  }

  /** What the stand-ins were asked, one line each. */
  asked(): readonly string[] {
    try {
      return readFileSync(join(this.directory, 'asked'), 'utf8').trim().split('\n');
    } catch {
      return [];
    }
  }

  async close(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    this.authority.remove();
    await rm(this.directory, { recursive: true, force: true });
  }

  private async serve(): Promise<void> {
    const { certificate, key } = this.certificate;
    const tls = { cert: readFileSync(certificate), key: readFileSync(key) };
    const redfish = createServer(
      tls,
      this.answering((request, body) => this.redfish(request, body)),
    );
    const docker = createServer(
      tls,
      this.answering((request) => this.docker(request)),
    );
    const vcenter = createServer(
      tls,
      this.answering((request) => this.vcenter(request)),
    );
    this.vcenterPort = await listening(vcenter);
    this.redfishPort = await listening(redfish);
    this.dockerPort = await listening(docker);
    this.servers.push(redfish, docker, vcenter);
  }

  private answering(answer: (request: IncomingMessage, body: string) => Promise<unknown>): RequestListener {
    return (request, response) => {
      void bodyOf(request)
        .then((body) => answer(request, body))
        .then(
          (found) => {
            response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}));
          },
          (error: unknown) => {
            response.writeHead(500).end(String(error));
          },
        );
    };
  }

  private async redfish({ method, url = '' }: IncomingMessage, body: string): Promise<unknown> {
    const node = /^\/redfish\/v1\/Systems\/(\w+)/.exec(url)?.[1];
    if (node === undefined || !Object.values(OUTLETS).includes(node)) return undefined;
    if (method === 'POST') await this.turn(node, body.includes('"On"') ? 'on' : 'off');
    return {
      PowerState: this.isOn(node) ? 'On' : 'Off',
      Actions: { '#ComputerSystem.Reset': { target: `/redfish/v1/Systems/${node}/Actions/ComputerSystem.Reset` } },
    };
  }

  private async docker({ url = '' }: IncomingMessage): Promise<unknown> {
    const nodes = Object.values(OUTLETS);
    if (url.includes('/containers/json')) {
      return nodes
        .filter((node) => !this.unlisted.has(node))
        .map((node) => ({ Id: node, Names: [`/${node}`], Status: this.isOn(node) ? 'Up 2 hours' : 'Exited (137)' }));
    }
    const [, node = '', what] = /\/containers\/(\w+)\/(\w+)$/.exec(url) ?? [];
    if (!nodes.includes(node)) return undefined;
    if (what === 'kill') await this.turn(node, 'off');
    if (what === 'start') await this.turn(node, 'on');
    return { State: { Running: this.isOn(node) } };
  }

  private async vcenter({ method, url = '' }: IncomingMessage): Promise<unknown> {
    if (url === '/rest/com/vmware/cis/session') return { value: 'a-session' };
    const [, machine = '', to] = /^\/rest\/vcenter\/vm\/vm-(\w+)\/power\/(start|stop)$/.exec(url) ?? [];
    if (method === 'POST' && Object.values(OUTLETS).includes(machine)) {
      await this.turn(machine, to === 'start' ? 'on' : 'off');
      return {};
    }
    if (!url.startsWith('/rest/vcenter/vm')) return undefined;
    const wanted = new URL(url, 'https://vcenter').searchParams.get('filter.names');
    const nodes = Object.values(OUTLETS).filter((node) => wanted === null || node === wanted);
    const state = (node: string): string => (this.isOn(node) ? 'POWERED_ON' : 'POWERED_OFF');
    return { value: nodes.map((node) => ({ vm: `vm-${node}`, name: node, power_state: state(node) })) };
  }

  private turn(node: string, to: 'on' | 'off'): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = spawn(join(this.directory, 'turn'), [node, to], { stdio: 'ignore' });
      child.once('error', reject);
      child.once('exit', () => {
        resolve();
      });
    });
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function programs(directory: string): Readonly<Record<string, string>> {
  const outlets = Object.entries(OUTLETS);
  const OID = '.1.3.6.1.4.1.318.1.1.4.4.2.1';
  const byLastNumber = `case "\${oid##*.}" in\n${outlets.map(([outlet, node]) => `${outlet}) node=${node} ;;`).join('\n')}\n*) exit 1 ;;\nesac`;
  const lastOid = 'for oid in "$@"; do case "$oid" in .1.*) break ;; esac; done';
  return {
    turn: `#!/bin/sh
echo "turn $1 $2" >>'${directory}/asked'
echo "$2" >'${directory}'/"$1".power
[ "$2" = on ] && exit 0
printf 'action=off\\nplug=%s\\npiddir=%s\\n' "$1" "$(cat '${directory}/piddir')" | env -u SYSTOLE_PID_FILE '${SWITCH}'
`,
    ipmitool: `#!/bin/sh
while [ $# -gt 0 ]; do case "$1" in -H) host=$2; shift ;; power) action=$2; shift ;; esac; shift; done
case "$host" in
${outlets.map(([outlet, node]) => `192.0.2.${outlet}) node=${node} ;;`).join('\n')}
*) echo "Error: Unable to establish IPMI v2 / RMCP+ session" >&2; exit 1 ;;
esac
case "$action" in
on | off) '${directory}/turn' $node $action >/dev/null; echo "Chassis Power Control: $action" ;;
status) echo "Chassis Power is $(cat '${directory}'/$node.power)" ;;
*) exit 1 ;;
esac
`,
    ssh: `#!/bin/sh
export PATH='${directory}':"$PATH" PS1='[EXPECT]# '
exec /bin/bash --noprofile --norc -i
`,
    virsh: `#!/bin/sh
case "$1" in
list)
	echo ' Id   Name      State'
	echo '-------------------------'
	for file in '${directory}'/*.power; do
		node=$(basename "$file" .power)
		[ "$(cat "$file")" = on ] && echo " 1    $node     running" || echo " -    $node     shut off"
	done ;;
domstate)
	[ -f '${directory}'/"$2".power ] || { echo "error: failed to get domain '$2'" >&2; exit 1; }
	[ "$(cat '${directory}'/"$2".power)" = on ] && echo running || echo 'shut off' ;;
destroy) '${directory}/turn' "$2" off >/dev/null; echo "Domain '$2' destroyed" ;;
start) '${directory}/turn' "$2" on >/dev/null; echo "Domain '$2' started" ;;
esac
`,
    snmpwalk: `#!/bin/sh
${lastOid}
case "$oid" in
.1.3.6.1.2.1.1.2.0) echo ".1.3.6.1.2.1.1.2.0 .1.3.6.1.4.1.318.1.3.4.9" ;;
*) ${outlets.map(([outlet, node]) => `echo '${OID}.4.${outlet} "${node}"'`).join('; ')} ;;
esac
`,
    snmpget: `#!/bin/sh
${lastOid}
${byLastNumber}
[ "$(cat '${directory}'/$node.power)" = on ] && echo "$oid 1" || echo "$oid 2"
`,
    snmpset: `#!/bin/sh
${lastOid}
${byLastNumber}
for value in "$@"; do :; done
[ "$value" = 1 ] && to=on || to=off
'${directory}/turn' $node $to >/dev/null
echo "$oid $value"
`,
  };
}
