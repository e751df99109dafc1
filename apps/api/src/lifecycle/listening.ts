import { once } from 'node:events';
import type { Server } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** After which requests that are still being answered are cut off, ms. */
const CLOSE_WITHIN_MS = 5_000;

/** Listens for the front. @param backlog how many connections may wait until they are taken; the operating system may bound it further (`somaxconn`) */
export async function listenBehind(app: NestExpressApplication, path: string, backlog: number): Promise<void> {
  await app.init();
  const server = app.getHttpServer();
  server.listen({ path, backlog });
  await once(server, 'listening');
}

/** Listens for everybody. @param backlog as {@link listenBehind} has it: the default of 511 is full in a moment when thousands of agents come back at once, and what finds it full waits for seconds @throws {Error} the address can't be had */
export async function listenOn(app: NestExpressApplication, port: number, host: string, backlog: number): Promise<void> {
  await app.init();
  const server = app.getHttpServer();
  server.listen({ port, host, backlog });
  await once(server, 'listening');
}

/** Lets what is being answered end, but not for ever; connections that are kept alive for a next request are closed as soon as they are idle. */
export async function closeServer(app: INestApplication<Server>): Promise<void> {
  const server = app.getHttpServer();
  const idle = setInterval(() => {
    server.closeIdleConnections();
  }, 20);
  const patience = setTimeout(() => {
    server.closeAllConnections();
  }, CLOSE_WITHIN_MS);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(patience);
  }
}

/** Where a server that listens can be reached from this machine, without a slash at the end. */
export function urlOf(server: Server, scheme: 'http' | 'https'): string {
  const { address, port } = server.address() as AddressInfo;
  const reachable = reachableHost(address);
  return `${scheme}://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`;
}

/** An address under which a server is reached from this machine that listens at this one. */
export function reachableHost(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}
