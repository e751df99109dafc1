import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ToolCall, ToolResult } from './tool.js';
import { TOOL_NAMES } from './run-tool.js';

const MAX_CALL_BYTES = 1024 * 1024;

/** Where resource agents find the tools: a directory for PATH, and the socket that the tools talk to. */
export interface ToolEndpoint {
  readonly directory: string;
  readonly socket: string;
}

/**
 * Puts the tools' programs into the run directory and answers them on a local socket. A call is one line of JSON, so is the answer.
 */
export class ToolServer {
  private constructor(
    private readonly server: Server,
    readonly endpoint: ToolEndpoint,
  ) {}

  /**
   * @param answer runs a call; must not reject
   */
  static async start(endpoint: ToolEndpoint, answer: (call: ToolCall) => Promise<ToolResult>): Promise<ToolServer> {
    await installTools(endpoint.directory);
    await rm(endpoint.socket, { force: true });
    const server = createServer((socket) => {
      serve(socket, answer);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(endpoint.socket, resolve);
    });
    await chmod(endpoint.socket, 0o600);
    return new ToolServer(server, endpoint);
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.endpoint.socket, { force: true });
  }
}

/** Each tool is a shell script that runs the client with this very Node, whatever PATH says. */
async function installTools(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  const client = fileURLToPath(new URL('tool-client.js', import.meta.url));
  for (const name of TOOL_NAMES) {
    const script = `#!/bin/sh\nexec '${quoted(process.execPath)}' '${quoted(client)}' ${name} "$@"\n`;
    const path = join(directory, name);
    await writeFile(path, script, { mode: 0o755 });
    await chmod(path, 0o755);
  }
}

function quoted(path: string): string {
  return path.replaceAll("'", `'\\''`);
}

function serve(socket: Socket, answer: (call: ToolCall) => Promise<ToolResult>): void {
  let text = '';
  socket.setEncoding('utf8');
  // A client that was killed meanwhile is no concern of ours.
  socket.on('error', () => undefined);
  socket.on('data', (chunk: string) => {
    text += chunk;
    if (text.length > MAX_CALL_BYTES) {
      socket.destroy();
      return;
    }
    const end = text.indexOf('\n');
    if (end < 0) return;
    const call = parseCall(text.slice(0, end));
    if (call === undefined) {
      socket.destroy();
      return;
    }
    void answer(call).then((result) => socket.end(`${JSON.stringify(result)}\n`));
  });
}

function parseCall(line: string): ToolCall | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('tool' in value) || !('args' in value) || !('env' in value)) return undefined;
    const { tool, args, env } = value;
    if (typeof tool !== 'string' || !Array.isArray(args) || typeof env !== 'object' || env === null) return undefined;
    return { tool, args: args.map(String), env: Object.fromEntries(Object.entries(env).map(([name, one]) => [name, String(one)])) };
  } catch {
    return undefined;
  }
}
