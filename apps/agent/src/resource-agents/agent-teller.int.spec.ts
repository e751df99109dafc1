import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentUnderTest } from '../testing/agent-under-test.js';
import { until } from '../testing/agent-process.js';

const under = agentUnderTest();
const GOOD = `echo '<resource-agent name="Good"><parameters><parameter name="a" required="1"><content type="string"/></parameter></parameters></resource-agent>'`;

it('tells which resource agents the node has, and the meta-data of those that are asked for', async () => {
  under.installAgent('Good', GOOD);
  under.installAgent('Bad', 'echo usage >&2; exit 3');
  const options = under.installAgent(
    'Hostile',
    `printf '<resource-agent name="H\\033\\000"><longdesc>'; head -c 300000 /dev/zero | tr '\\0' x; printf '</longdesc></resource-agent>'`,
  );
  const { server, node } = under;
  server.wantsDescribed = ['Good', 'Bad', 'Hostile'];
  node.start(...options);
  await until(() => server.descriptions.length === 3, 'three agents are described');
  const installed = server.installed.at(-1)?.agents.filter(({ provider }) => provider === 'test') ?? [];
  expect(installed.map(({ class: standard, type }) => `${standard}:${type}`)).toEqual(['ocf:Bad', 'ocf:Good', 'ocf:Hostile']);
  const of = (type: string) => server.descriptions.find((description) => description.type === type);
  expect(of('Good')).toMatchObject({ incarnation: 1, metadata: { name: 'Good', parameters: [{ name: 'a', required: true }] } });
  expect(of('Good')?.digest).toBe(installed.find(({ type }) => type === 'Good')?.digest);
  expect(of('Bad')).toMatchObject({ problem: expect.stringMatching(/meta-data failed.*usage/s) as string });
  expect(of('Hostile')?.metadata?.longDescription?.length ?? of('Hostile')?.problem?.length).toBeLessThan(20_000);
});

it('runs nothing that may not run on the node, to be told what it is', async () => {
  under.installAgent('Good', GOOD);
  const options = under.installAgent('Evil', 'touch evil-ran');
  const { server, node } = under;
  server.wantsDescribed = ['Good', 'Evil'];
  node.start(...options, '--allow', 'ocf:test:Good');
  await until(() => server.descriptions.length === 1, 'the one that may run is described');
  expect(server.installed.at(-1)?.agents.map(({ type }) => type)).toEqual(['Good']);
  expect(existsSync(join(node.directory, 'evil-ran'))).toBe(false);
});

it('tells it again in its next session, with another digest for what was changed', async () => {
  const options = under.installAgent('Good', GOOD);
  const { server, node } = under;
  node.start(...options);
  await until(() => server.installed.length > 0, 'the agents are told');
  writeFileSync(join(node.directory, 'ocf', 'resource.d', 'test', 'Good'), `#!/bin/sh\n${GOOD}\n# another version\n`);
  server.endLease();
  await until(() => server.incarnation === 2, 'the node joins anew');
  await until(() => server.installed.some(({ incarnation }) => incarnation === 2), 'the agents are told again');
  const digests = server.installed.map(({ agents }) => agents.find(({ type }) => type === 'Good')?.digest);
  expect(new Set([digests[0], digests.at(-1)]).size).toBe(2);
});

it('runs operations while an agent does not come to an end with its meta-data, and leaves without it', async () => {
  const options = under.installAgent('Slow', 'case $1 in meta-data) touch asked; sleep 60;; monitor) exit 7;; esac');
  const { server, node } = under;
  server.wantsDescribed = ['Slow'];
  const process = node.start(...options);
  await until(() => existsSync(join(node.directory, 'asked')), 'the agent is asked for its meta-data');
  expect(await under.run('r', 'monitor')).toMatchObject({ rc: 7 });
  const beganAt = performance.now();
  process.signal('SIGTERM');
  await until(() => server.shutdownRequested, 'the agent asks to leave');
  server.completeShutdown();
  expect(await process.exit).toBe(0);
  expect(performance.now() - beganAt).toBeLessThan(10_000);
});
