import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildAgent, until } from '../testing/agent-process.js';
import type { ToolCall, ToolResult } from './tool.js';
import { installTools, ToolServer } from './tool-server.js';

let directory: string;
let server: ToolServer;
let calls: ToolCall[];
let answer: (call: ToolCall) => Promise<ToolResult>;

const done = (stdout = '', exitCode = 0): ToolResult => ({ stdout, stderr: '', exitCode });

async function start(): Promise<void> {
  server = await ToolServer.start({ directory: join(directory, 'bin'), socket: join(directory, 'tools.sock') }, (call) => {
    calls.push(call);
    return answer(call);
  });
}

beforeAll(buildAgent);
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'systole-tools-'));
  calls = [];
  answer = () => Promise.resolve(done());
  await start();
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs shell text with the tools in the PATH. */
async function shell(text: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const variables = {
      PATH: `${join(directory, 'bin')}:${process.env['PATH'] ?? ''}`,
      SYSTOLE_AGENT_SOCKET: join(directory, 'tools.sock'),
    };
    const options = { env: { ...variables, ...env }, cwd: directory, maxBuffer: 2 ** 28 };
    execFile('/bin/bash', ['--norc', '-c', text], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

describe.each(['perl', 'node'] as const)("the tools' client in %s", (client) => {
  beforeEach(() => installTools(join(directory, 'bin'), client));

  it('passes on every argument as it is, and of the environment what tools look at', async () => {
    const variables = { OCF_RESOURCE_INSTANCE: 'db:0', OCF_RESKEY_password: 'secret', CIB_file: '/x', SYSTOLE_REASON: 'a b\nc' };
    await shell(
      `crm_attribute '' 'a
b' "c d" 'ü' --`,
      variables,
    );
    expect(calls).toMatchObject([{ tool: 'crm_attribute', args: ['', 'a\nb', 'c d', 'ü', '--'], cwd: directory }]);
    const { env = {} } = calls[0] ?? {};
    expect(env).toMatchObject({ OCF_RESOURCE_INSTANCE: 'db:0', CIB_file: '/x', SYSTOLE_REASON: 'a b\nc' });
    expect(Object.values(env)).not.toContain('secret');
  });

  it('refuses what is no text, rather than have something else written', async () => {
    expect(await shell("crm_attribute -n x -v $'\\xff\\xfe'")).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('no UTF-8 text') as string,
    });
    expect(calls).toEqual([]);
    answer = async ({ caller }) =>
      done(await (caller?.stdin() ?? Promise.resolve('')).catch((error: unknown) => `refused: ${String(error)}`));
    expect((await shell("printf '\\377' | cibadmin -p")).stdout).toContain('refused: XmlError: the document holds bytes that are no UTF-8');
    answer = async ({ caller }) =>
      done(await (caller?.read('here') ?? Promise.resolve('')).catch((error: unknown) => `refused: ${String(error)}`));
    expect((await shell("printf '\\377' >here; cibadmin -x here")).stdout).toContain(
      'refused: XmlError: the document holds bytes that are no UTF-8',
    );
  });

  it('reads documents in the encoding that they declare', async () => {
    const printed = `printf '<?xml version="1.0" encoding="ISO-8859-1"?><a b="\\351"/>'`;
    answer = async ({ caller }) => done((await caller?.stdin()) ?? '');
    expect((await shell(`${printed} | cibadmin -p`)).stdout).toBe('<?xml version="1.0" encoding="UTF-8"?><a b="é"/>');
    answer = async ({ caller }) => done((await caller?.read('latin1')) ?? '');
    expect((await shell(`${printed} >latin1; cibadmin -x latin1`)).stdout).toContain('<a b="é"/>');
  });

  it('prints what it is told and ends as it is told', async () => {
    answer = () => Promise.resolve({ stdout: 'out\n', stderr: 'err\n', exitCode: 105 });
    expect(await shell('crm_node -n')).toEqual({ code: 105, stdout: 'out\n', stderr: 'err\n' });
  });

  it('prints megabytes', async () => {
    answer = () => Promise.resolve(done('x'.repeat(8_000_000)));
    expect((await shell('cibadmin -Q | wc -c')).stdout.trim()).toBe('8000000');
  });

  it("leaves its standard input to the loop that it stands in, unless it's needed", async () => {
    answer = ({ args }) => Promise.resolve(done(args.join(' ')));
    expect((await shell('printf "1\\n2\\n3\\n" | while read n; do crm_node $n; done')).stdout).toBe('123');
    answer = async ({ caller }) => done((await caller?.stdin()) ?? '');
    expect((await shell('printf "a\\0b" | cibadmin -p')).stdout).toBe('a\0b');
    expect((await shell('head -c 3000000 /dev/zero | tr "\\0" y | cibadmin -p | wc -c')).stdout.trim()).toBe('3000000');
  });

  it('reads the files that the agent asks for, pipes of its own among them', async () => {
    answer = async ({ args, env, caller }) => done((await caller?.read(env['CIB_file'] ?? args[0] ?? '')) ?? '');
    expect((await shell('CIB_file=<(printf "<cib/>") crm_mon -1')).stdout).toBe('<cib/>');
    expect(
      (await shell('head -c 3000000 /dev/zero | tr "\\0" y >here; cibadmin here | wc -c; cd /; cibadmin "$OLDPWD/here" | wc -c')).stdout,
    ).toBe('3000000\n3000000\n');
    expect((await shell(': >empty; cibadmin empty')).stdout).toBe('');
    answer = async ({ args, caller }) =>
      done(await (caller?.read(args[0] ?? '') ?? Promise.resolve('')).catch((error: unknown) => `not read: ${String(error)}`));
    expect((await shell('cibadmin none')).stdout).toMatch(/not read: .*no such file/i);
    expect((await shell('cibadmin /')).stdout).toMatch(/not read: .*directory/i);
  });

  it('is told to the agent when it is killed', async () => {
    let isGone = false;
    answer = ({ caller }) =>
      new Promise((resolve) => {
        caller?.gone.addEventListener('abort', () => {
          isGone = true;
          resolve(done());
        });
      });
    await shell('timeout -s KILL 1 crm_resource --wait');
    await until(() => isGone, 'the agent knows');
  });

  it('fails as without a cluster when the agent is away, or goes away meanwhile', async () => {
    answer = async ({ caller }) => {
      void server.close();
      await delay(50, undefined, { signal: caller?.gone }).catch(() => undefined);
      return done();
    };
    const broken = await shell('crm_node -n');
    expect(broken).toMatchObject({ code: 102, stdout: '' });
    expect(broken.stderr).toContain('broke off');
    const away = await shell('crm_node -n');
    expect(away.code).toBe(102);
    expect(away.stderr).toContain('the node agent does not answer at');
  });
});

describe("what a tool's client does with the files of its caller", () => {
  it('writes the file that a call is about, with its directory, and fails where it can not', async () => {
    answer = ({ args: [path = ''], caller }) => {
      caller?.create(path, 'content');
      return Promise.resolve(done());
    };
    expect((await shell('crm_shadow "$PWD/copies/one" && cat copies/one')).stdout).toBe('content');
    const failed = await shell('crm_shadow /proc/none/one');
    expect(failed.code).toBe(73);
    answer = ({ args: [path = ''], caller }) => {
      caller?.remove(path);
      return Promise.resolve(done());
    };
    expect(await shell('crm_shadow "$PWD/copies/one"; ls copies')).toMatchObject({ stdout: '' });
    expect((await shell('crm_shadow "$PWD/copies/one"')).code).toBe(73);
  });

  it('says that it takes Perl where there is only Node.js', async () => {
    await installTools(join(directory, 'bin'), 'node');
    answer = ({ args: [path = ''], caller }) => {
      caller?.create(path, 'content');
      return Promise.resolve(done());
    };
    expect(await shell('crm_shadow "$PWD/copies/one"; exit_code=$?; ls; exit $exit_code')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('needs Perl') as string,
      stdout: expect.not.stringContaining('copies') as string,
    });
  });
});

describe('the sockets', () => {
  it('are used by their accounts alone, and whoever reads is known by his', async () => {
    await server.close();
    const readers = { socket: join(directory, 'readers.sock'), user: { uid: 65_534, gid: 65_534 } };
    const before = process.umask(0);
    try {
      server = await ToolServer.start(
        { directory: join(directory, 'bin'), socket: join(directory, 'tools.sock') },
        (call) => {
          calls.push(call);
          return Promise.resolve(done());
        },
        readers,
      );
    } finally {
      process.umask(before);
    }
    for (const [socket, uid] of [
      ['tools.sock', process.getuid?.()],
      ['readers.sock', 65_534],
    ] as const) {
      const found = statSync(join(directory, socket));
      expect([found.uid, found.mode & 0o777], socket).toEqual([uid, 0o600]);
    }
    await shell('crm_node -n', { SYSTOLE_AGENT_SOCKET: readers.socket });
    await shell('crm_node -n');
    expect(calls.map(({ isReader }) => isReader)).toEqual([true, undefined]);
    // A document may stand in the arguments, too.
    const large = `crm_rule --check -r a -X "$(head -c 66000 /dev/zero | tr '\\0' x)"`;
    expect(await shell(large, { SYSTOLE_AGENT_SOCKET: readers.socket })).not.toMatchObject({ code: 0 });
    expect(calls).toHaveLength(2);
    expect(await shell(large)).toMatchObject({ code: 0 });
    expect(calls).toHaveLength(3);
  });
});

describe('a tool in the background', () => {
  it('outlives its caller and the agent, writes files and runs programs, and takes its pid file with it', async () => {
    answer = async ({ caller, isAgain = false }) => {
      if (caller === undefined) throw new Error('nobody called');
      if (!isAgain) caller.detach(join(directory, 'mon.pid'));
      caller.file(join(directory, 'page'), isAgain ? 'again' : 'once');
      caller.run('/usr/bin/env', {});
      caller.run(join(directory, 'ext'), { CRM_notify_rsc: 'a\nb=c' });
      await new Promise((resolve) => {
        caller.gone.addEventListener('abort', resolve);
      });
      return done();
    };
    await shell(`printf '#!/bin/sh\\nprintf %%s "$CRM_notify_rsc" >told\\n' >ext; chmod 755 ext; crm_mon -d -p mon.pid`);
    const page = (): string => (existsSync(join(directory, 'page')) ? readFileSync(join(directory, 'page'), 'utf8') : '');
    await until(() => page() === 'once' && existsSync(join(directory, 'told')), 'the page is written');
    expect(readFileSync(join(directory, 'told'), 'utf8')).toBe('a\nb=c');
    await server.close();
    await start();
    await until(() => page() === 'again', 'it goes on');
    process.kill(Number(readFileSync(join(directory, 'mon.pid'), 'utf8').trim()), 'SIGTERM');
    await until(() => !existsSync(join(directory, 'mon.pid')), 'it has ended');
  });
});

describe('what is no call', () => {
  it.each(['GET / HTTP/1.0\r\n\r\n', '\0'.repeat(100), 'tool 999999999\n', 'end 0\n', `arg 5000000\n${'x'.repeat(5_000_000)}`])(
    'is hung up on, and others are served',
    async (bytes) => {
      const stranger = connect(join(directory, 'tools.sock'));
      stranger.on('error', () => undefined);
      const ended = new Promise((resolve) => stranger.once('close', resolve));
      stranger.write(bytes);
      // What might still become a call is waited for.
      if (bytes.startsWith('tool')) stranger.destroy();
      await ended;
      expect(await shell('crm_node -n')).toMatchObject({ code: 0 });
      expect(calls).toHaveLength(1);
    },
  );
});
