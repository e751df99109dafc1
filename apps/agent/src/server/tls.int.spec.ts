import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CertificateAuthority } from '@systole/certificates/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT_CODE } from '../exit-code.js';
import { buildAgent, TestNode, until } from '../testing/agent-process.js';
import { ScriptedServer } from '../testing/scripted-server.js';

let authority: CertificateAuthority;
let server: ScriptedServer;
let node: TestNode;
const own = (name: string): string => join(authority.directory, name);

beforeAll(async () => {
  buildAgent();
  authority = new CertificateAuthority();
  const { certificate, key } = authority.issue('server', 'IP:127.0.0.1');
  const ca = readFileSync(authority.certificate);
  const tls = { cert: readFileSync(certificate), key: readFileSync(key), ca, requestCert: true, rejectUnauthorized: false };
  server = await ScriptedServer.start({ tls, pollMs: 300 });
  node = new TestNode(server.url);
});
afterAll(async () => {
  await node.destroy();
  await server.stop();
  authority.remove();
});

function install(name: string): void {
  const pair = authority.issue(name);
  copyFileSync(pair.certificate, own('node.pem'));
  copyFileSync(pair.key, own('node.key'));
}

describe('an agent and certificates', () => {
  it('does not talk to a server that it can not verify', async () => {
    const agent = node.start();
    await until(() => /unable to|self.signed/i.test(agent.log), 'it says why');
    expect(server.joins).toEqual([]);
    await agent.kill();
    const other = new CertificateAuthority('another authority');
    const misled = node.start('--ca-file', other.certificate);
    await until(() => /unable to|self.signed/i.test(misled.log), 'it says why');
    expect(server.joins).toEqual([]);
    await misled.kill();
    other.remove();
  });

  it('shows its own certificate to a server that it verifies, and a renewed one from SIGHUP on', async () => {
    install('n1');
    const agent = node.start('--ca-file', authority.certificate, '--cert-file', own('node.pem'), '--key-file', own('node.key'));
    await until(() => server.polls.length > 0, 'it polls');
    expect([...server.shown]).toEqual(['CN=n1']);
    install('n1-renewed');
    agent.signal('SIGHUP');
    await until(() => server.shown.has('CN=n1-renewed'), 'it shows the new one');
    expect(server.incarnation).toBe(1);
    await agent.kill();
  });

  it('ends with what is wrong: files that do not fit, and plain HTTP beside them', async () => {
    const wrong = node.start('--cert-file', own('node.pem'), '--key-file', authority.issue('x').key);
    expect(await wrong.exit).toBe(EXIT_CODE.USAGE);
    expect(wrong.log).toContain('does not belong to the certificate');
    const plain = new TestNode('http://127.0.0.1:1');
    const refused = plain.start('--ca-file', authority.certificate);
    expect(await refused.exit).toBe(EXIT_CODE.USAGE);
    expect(refused.log).toContain('is plain HTTP');
    await plain.destroy();
  });
});
