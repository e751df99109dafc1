import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

const DEVICE = fileURLToPath(new URL('../../apps/agent/src/testing/watchdog-device.py', import.meta.url));
const SWITCH = fileURLToPath(new URL('../../agents/fence/fence_systole_demo', import.meta.url));

/**
 * A stand-in for the hardware watchdogs of nodes that share this machine: FIFOs behind which a program of its own counts, and "resets the machine" when it is not fed: it kills the process tree of the
 * node, agent, resources and all.
 */
export class WatchdogRoom {
  private readonly devices = new Map<string, ChildProcess>();

  private constructor(
    private readonly directory: string,
    readonly timeoutS: number,
  ) {}

  /** @param nodes that have one each */
  static async open(nodes: readonly string[], timeoutS: number): Promise<WatchdogRoom> {
    const room = new WatchdogRoom(await mkdtemp(join(tmpdir(), 'systole-watchdogs-')), timeoutS);
    for (const node of nodes) await room.powerOn(node);
    return room;
  }

  /** Flags of the agent of a node. */
  flagsOf(node: string): readonly string[] {
    return this.devices.has(node) ? ['--watchdog', this.pathOf(node), '--watchdog-timeout', String(this.timeoutS * 1_000)] : [];
  }

  /** Plugs the nodes in. @param pidDirectory of their pid files, by which they are reset */
  async plugIn(pidDirectory: string): Promise<void> {
    await writeFile(join(this.directory, 'piddir'), pidDirectory);
  }

  /** The device is there anew, not armed, as after a reset of its machine. */
  async powerOn(node: string): Promise<void> {
    this.breakDevice(node);
    await rm(this.pathOf(node), { force: true });
    await rm(`${this.pathOf(node)}.log`, { force: true });
    const reset = `printf 'action=off\\nplug=%s\\npiddir=%s\\n' '${node}' "$(cat '${this.directory}/piddir')" | env -u SYSTOLE_PID_FILE '${SWITCH}'`;
    const child = spawn('python3', [DEVICE, this.pathOf(node), String(this.timeoutS), 'sh', '-c', reset], { stdio: 'ignore' });
    this.devices.set(node, child);
    while (!this.log(node).includes('ready')) await sleep(50);
  }

  /** The device is gone, as when its driver is unloaded: it can't be fed any more, and resets nothing. */
  breakDevice(node: string): void {
    this.devices.get(node)?.kill('SIGKILL');
  }

  /** What happened to the device, in order: `opened`, `closed`, `fired`, `reset` … */
  log(node: string): readonly string[] {
    const file = `${this.pathOf(node)}.log`;
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }

  /** When that was written last, epoch ms. */
  lastEventAt(node: string): number {
    return statSync(`${this.pathOf(node)}.log`).mtimeMs;
  }

  async close(): Promise<void> {
    for (const node of this.devices.keys()) this.breakDevice(node);
    await rm(this.directory, { recursive: true, force: true });
  }

  private pathOf(node: string): string {
    return join(this.directory, node);
  }
}

/** The way of one node to the server, which can be cut. */
export class Cable {
  private readonly sockets = new Set<Socket>();
  private cut = false;

  private constructor(private readonly server: Server) {}

  /** @param toPort of the server, asked when something connects */
  static async lay(toPort: () => number): Promise<Cable> {
    const server = createServer();
    const cable = new Cable(server);
    server.on('connection', (socket) => {
      if (cable.cut) socket.destroy();
      else cable.join(socket, connect(toPort(), '127.0.0.1'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return cable;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** Nothing goes through any more, neither way. */
  pull(): void {
    this.cut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  plug(): void {
    this.cut = false;
  }

  async close(): Promise<void> {
    this.pull();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(one: Socket, other: Socket): void {
    for (const [socket, peer] of [
      [one, other],
      [other, one],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => peer.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        peer.destroy();
      });
      socket.pipe(peer);
    }
  }
}
