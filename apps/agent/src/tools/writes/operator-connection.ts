import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { carriable } from '@systole/protocol';
import { ServerConnection } from '../../server/server-connection.js';
import { EXIT, ToolFailure, type ToolCluster } from '../tool.js';
import { writtenTransient } from '../written-transient.js';

/** Which server tools ask by an operator's token, and about which cluster: as `systole servers access` says it. */
export interface OperatorAccess {
  /** Base URL. */
  readonly server: string;
  readonly token: string;
  /** Name or id of the cluster. */
  readonly cluster: string;
  /** Path of the authorities by which the server is verified. */
  readonly ca?: string;
}

/** Private attributes never leave the node that they are set on. */
const NONE_OF_ITS_OWN: ToolCluster['transient']['own'] = {
  names: [],
  get: () => undefined,
  set: () => Promise.reject(new ToolFailure(EXIT.UNIMPLEMENTED, 'private attributes are set and read on their node')),
};

/**
 * The cluster as an operator's token reaches it by the public API: tools ask in the same words as by the agent of a node, and are let do what the token's role may.
 *
 * @param access asked for when the first thing is
 */
export function operatorCluster(access: () => Promise<OperatorAccess>): {
  readonly cluster: ToolCluster;
  readonly close: () => Promise<void>;
} {
  let reaching: Promise<{ readonly server: string; readonly connection: ServerConnection }> | undefined;
  const reach = async (): ReturnType<typeof connect> => (reaching ??= access().then(connect));
  const node = hostname();
  const cib = async (): Promise<string> => {
    const { server, connection } = await reach();
    return (await connection.cib(server)).text;
  };
  const request: ToolCluster['request'] = async (asked, { tool, reason }) => {
    const { server, connection } = await reach();
    const body = carriable({ tool, request: asked, ...(reason === undefined ? {} : { reason }) });
    return { changed: await connection.operatorToolRequest(server, body) };
  };
  return {
    cluster: {
      node,
      nodeId: node,
      clusterName: '',
      cib,
      request,
      fencing: async (of) => {
        const { server, connection } = await reach();
        return connection.fencing(server, of);
      },
      setAttributes: async (changes) => {
        for (const { node: of = node, name, value, lifetime, add, delay } of changes) {
          if (add !== undefined) throw new ToolFailure(EXIT.UNIMPLEMENTED, 'a value is counted up on a node only: give the value itself');
          // A delay keeps agents' reports together. A person's word is written as it is said; that it is to be more than the delay of a new attribute is refused.
          if (delay !== undefined && delay.sets !== 'new')
            throw new ToolFailure(EXIT.UNIMPLEMENTED, 'how long an attribute is held back is set on a node');
          await request({ ask: 'set-node-attribute', node: of, name, value, lifetime }, { tool: 'crm_attribute' });
        }
      },
      transient: { own: NONE_OF_ITS_OWN, read: async (of) => writtenTransient(await cib(), of) },
    },
    close: async () => (await reaching?.catch(() => undefined))?.connection.close(),
  };
}

async function connect({
  server,
  token,
  cluster,
  ca,
}: OperatorAccess): Promise<{ readonly server: string; readonly connection: ServerConnection }> {
  const tls = ca === undefined ? {} : { ca: await readFile(ca, 'utf8') };
  return { server, connection: new ServerConnection(token, tls, `/v1/clusters/${encodeURIComponent(cluster)}`) };
}
