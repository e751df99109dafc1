import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentResult } from '@systole/protocol';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { buildAgent, operation, TestNode, until } from './agent-process.js';
import { ScriptedServer } from './scripted-server.js';

/** A node and a server that is driven by the test, both anew for each test. */
export interface AgentUnderTest {
  readonly server: ScriptedServer;
  readonly node: TestNode;
  /** Hands out an operation and waits for its result. */
  readonly run: (...order: Parameters<typeof operation>) => Promise<AgentResult>;
  readonly resultOf: (action: { readonly actionId: string }) => Promise<AgentResult>;
  /** Whether a resource of the agent `ocf:systole:Dummy` runs. */
  readonly isRunning: (resource: string) => boolean;
  /** A resource agent of the test's own; `body` is shell. @returns what the systole-agent is to be started with */
  readonly installAgent: (type: string, body: string) => readonly string[];
}

/** To be called where tests are declared: it prepares and tidies up around each of them. */
export function agentUnderTest(leaseMs = 10_000): AgentUnderTest {
  let server: ScriptedServer;
  let node: TestNode;
  beforeAll(buildAgent);
  beforeEach(async () => {
    server = await ScriptedServer.start({ leaseMs });
    node = new TestNode(server.url);
  });
  afterEach(async () => {
    await node.destroy();
    await server.stop();
  });
  const resultOf: AgentUnderTest['resultOf'] = async ({ actionId }) => {
    const find = (): AgentResult | undefined => server.results.find((result) => result.actionId === actionId);
    await until(() => find() !== undefined, `action ${actionId} is reported`);
    const found = find();
    if (found === undefined) throw new Error('vanished');
    return found;
  };
  return {
    get server() {
      return server;
    },
    get node() {
      return node;
    },
    resultOf,
    run: (...order) => {
      const action = operation(...order);
      server.order(action);
      return resultOf(action);
    },
    isRunning: (resource) => existsSync(node.stateFile(`Dummy-${resource}.state`)),
    installAgent: (type, body) => {
      const root = join(node.directory, 'ocf');
      mkdirSync(join(root, 'resource.d', 'test'), { recursive: true });
      writeFileSync(join(root, 'resource.d', 'test', type), `#!/bin/sh\ncd '${node.directory}'\n${body}\n`, { mode: 0o755 });
      return ['--ocf-root', root];
    },
  };
}

/** A resource whose agent is one that the test installed. */
export function testResource(type: string): Pick<AgentResult, 'resource'> {
  return { resource: { id: type, historyId: type, class: 'ocf', provider: 'test', type } };
}
