import { readdirSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { Machine } from './machine.js';
import { runCommand } from './run-command.js';

/** Begins every name that a run gives to something of the operating system; its process id follows, so that remains of dead runs are recognised. */
const PREFIX = 'sychaos';

/**
 * A bridge with an address in the present namespace, and machines (network namespaces) on it.
 *
 * @throws at `create`, saying what is missing, where namespaces can't be made
 */
export class Network {
  private readonly machines: Machine[] = [];

  private constructor(
    private readonly bridge: string,
    /** Its first three numbers: `10.64.1`. */
    readonly subnet: string,
  ) {}

  static async create(): Promise<Network> {
    await removeRemains();
    const network = new Network(`${PREFIX}${process.pid}`, freeSubnet());
    try {
      await runCommand(['ip', 'link', 'add', network.bridge, 'type', 'bridge']);
      await runCommand(['ip', 'addr', 'add', `${network.address}/24`, 'dev', network.bridge]);
      await runCommand(['ip', 'link', 'set', network.bridge, 'up']);
    } catch (error) {
      throw new Error('no bridge can be made here: this needs CAP_NET_ADMIN and a kernel with bridge and veth', { cause: error });
    }
    return network;
  }

  /** Where the present namespace is seen from the machines. */
  get address(): string {
    return `${this.subnet}.1`;
  }

  async addMachine(name: string): Promise<Machine> {
    const machine = new Machine(name, `${this.subnet}.${this.machines.length + 10}`, `${this.bridge}-${name}`);
    this.machines.push(machine);
    await this.plugIn(machine);
    return machine;
  }

  /** Gives a machine on which nothing runs a network of its own anew: whatever it had set up there is gone. */
  async renew(machine: Machine): Promise<void> {
    await machine.kill();
    await runCommand(['ip', 'netns', 'del', machine.namespace]);
    // With the namespace its end of the cable goes, and with that the other one; a moment later.
    const cable = this.cableOf(machine);
    if (readdirSync('/sys/class/net').includes(cable)) await runCommand(['ip', 'link', 'del', cable]).catch(() => undefined);
    await this.plugIn(machine);
  }

  private async plugIn(machine: Machine): Promise<void> {
    const { namespace, address } = machine;
    const inside = ['ip', '-n', namespace];
    await runCommand(['ip', 'netns', 'add', namespace]);
    const cable = this.cableOf(machine);
    await runCommand(['ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace]);
    await runCommand(['ip', 'link', 'set', cable, 'master', this.bridge, 'up']);
    await runCommand([...inside, 'addr', 'add', `${address}/24`, 'dev', 'eth0']);
    await runCommand([...inside, 'link', 'set', 'eth0', 'up']);
    await runCommand([...inside, 'link', 'set', 'lo', 'up']);
    await machine.setLink({ inbound: 0, outbound: 0 });
  }

  /** The bridge's end of a machine's cable. */
  private cableOf({ address }: Machine): string {
    return `h${this.bridge.slice(PREFIX.length)}v${address.slice(address.lastIndexOf('.') + 1)}`;
  }

  /** Kills whatever runs on the machines, and takes everything down. */
  async dispose(): Promise<void> {
    for (const machine of this.machines) {
      await machine.kill();
      await runCommand(['ip', 'netns', 'del', machine.namespace]);
    }
    await runCommand(['ip', 'link', 'del', this.bridge]);
  }
}

/** What runs left that were killed themselves. */
async function removeRemains(): Promise<void> {
  const dead = (name: string): boolean => {
    const pid = new RegExp(`^${PREFIX}(\\d+)`).exec(name)?.[1];
    return pid !== undefined && !readdirSync('/proc').includes(pid);
  };
  const namespaces = async (): Promise<string[]> =>
    (await runCommand(['ip', 'netns', 'list'])).split('\n').map((line) => line.split(' ')[0] ?? '');
  for (const namespace of (await namespaces()).filter(dead)) {
    try {
      await new Machine(namespace, '', namespace).kill();
      await runCommand(['ip', 'netns', 'del', namespace]);
    } catch (error) {
      // A run that began at the same moment removes them, too.
      if ((await namespaces()).includes(namespace)) throw error;
    }
  }
  const bridges = (): string[] => readdirSync('/sys/class/net').filter(dead);
  for (const bridge of bridges()) {
    try {
      await runCommand(['ip', 'link', 'del', bridge]);
    } catch (error) {
      if (bridges().includes(bridge)) throw error;
    }
  }
}

/** `10.x.y` that no interface of this machine has; the process id keeps runs apart that begin together. */
function freeSubnet(): string {
  const used = new Set(Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address)));
  for (let offset = 0; offset < 65_536; offset += 1) {
    const number = (process.pid + offset) % 65_536;
    // Of a third number above 253 a bundle's second replica has no address (specification 02 §8).
    const subnet = `10.${64 + ((number >> 8) % 128)}.${(number & 255) % 250}`;
    if (![...used].some((address) => address.startsWith(`${subnet}.`))) return subnet;
  }
  throw new Error('every network of 10.64.0.0/9 is in use on this machine');
}
