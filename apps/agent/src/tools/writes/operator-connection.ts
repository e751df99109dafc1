import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { carriable } from '@systole/protocol';
import { ServerConnection } from '../../server/server-connection.js';
import { EXIT, ToolFailure, type ToolCluster } from '../tool.js';

/** Which server tools ask by an operator's token, and about which cluster. */
export interface OperatorAccess {
  /** Base URL. */
  readonly server: string;
  readonly token: string;
  /** Name or id of the cluster. */
  readonly cluster: string;
  /** Path of the authorities by which the server is verified. */
  readonly caFile?: string;
}

/** From `SYSTOLE_SERVER`, `SYSTOLE_TOKEN`, `SYSTOLE_CLUSTER` and `SYSTOLE_CA_FILE`, as for `systole`. @throws {ToolFailure} naming what is missing */
export function operatorAccess(environment: NodeJS.ProcessEnv): OperatorAccess {
  const given = (name: string): string => {
    const text = environment[name];
    if (text === undefined || text === '')
      throw new ToolFailure(EXIT.DISCONNECTED, `${name} is not set: it says which cluster is meant, or by whose token`);
    return text;
  };
  const caFile = environment['SYSTOLE_CA_FILE'];
  return {
    server: given('SYSTOLE_SERVER').replace(/\/+$/, ''),
    token: given('SYSTOLE_TOKEN'),
    cluster: given('SYSTOLE_CLUSTER'),
    ...(caFile === undefined || caFile === '' ? {} : { caFile }),
  };
}

/** The cluster as an operator's token reaches it by the public API: tools ask in the same words as by the agent of a node, and are let do what the token's role may. */
export async function operatorCluster({ server, token, cluster, caFile }: OperatorAccess): Promise<{
  readonly cluster: ToolCluster;
  readonly close: () => Promise<void>;
}> {
  const tls = caFile === undefined ? {} : { ca: await readFile(caFile, 'utf8') };
  const connection = new ServerConnection(token, tls, `/v1/clusters/${encodeURIComponent(cluster)}`);
  const request: ToolCluster['request'] = async (asked, { tool, reason }) => ({
    changed: await connection.operatorToolRequest(server, carriable({ tool, request: asked, ...(reason === undefined ? {} : { reason }) })),
  });
  const node = hostname();
  return {
    cluster: {
      node,
      nodeId: node,
      clusterName: cluster,
      cib: () => connection.cib(server),
      request,
      setAttributes: async (changes) => {
        for (const { node: of = node, name, value, lifetime } of changes)
          await request({ ask: 'set-node-attribute', node: of, name, value, lifetime }, { tool: 'crm_attribute' });
      },
    },
    close: () => connection.close(),
  };
}
