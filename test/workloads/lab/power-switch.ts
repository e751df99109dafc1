import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LabMachine } from './lab-machine.js';

/**
 * The power switch that machines hang on, with an address of its own: `POST /NODE/off`, `/NODE/reboot`, `/NODE/on`, `GET /NODE`, `GET /list`.
 * A machine that was rebooted comes up when the test says so: real ones take minutes.
 */
export class PowerSwitch {
  /** What it did, oldest first: `reboot alpha`. */
  readonly done: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly host: string,
  ) {}

  static async open(host: string, machines: ReadonlyMap<string, LabMachine>): Promise<PowerSwitch> {
    const server = createServer((request, response) => {
      const [, name = '', action] = (request.url ?? '').split('/');
      const answer = (status: number, text = ''): void => {
        response.writeHead(status).end(text);
      };
      const machine = machines.get(name);
      if (name === 'list') answer(200, [...machines.keys()].map((one) => `${one},${one}\n`).join(''));
      else if (machine === undefined) answer(404);
      else if (request.method === 'GET') answer(200, machine.isOn ? 'on' : 'off');
      else {
        opened.done.push(`${action ?? ''} ${name}`);
        void act(machine, action).then(
          () => {
            answer(200);
          },
          (error: unknown) => {
            answer(500, String(error));
          },
        );
      }
    });
    const opened = new PowerSwitch(server, host);
    server.listen(0, host);
    await once(server, 'listening');
    return opened;
  }

  get url(): string {
    return `http://${this.host}:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

async function act(machine: LabMachine, action: string | undefined): Promise<void> {
  if (action === 'on') await machine.switchOn();
  else await machine.cutPower();
}
