import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { carriable } from '@systole/protocol';
import { ServerConnection } from '../../server/server-connection.js';
import type { TransientAttributes } from '../../attributes/transient-attributes.js';
import { CibView } from '../cib-view.js';
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

/** Private attributes never leave the node that they are set on. */
const NONE_OF_ITS_OWN: ToolCluster['transient']['own'] = {
  names: [],
  get: () => undefined,
  set: () => Promise.reject(new ToolFailure(EXIT.UNIMPLEMENTED, 'private attributes are set and read on their node')),
};

/** As they are written: what is held back on its way nobody but the agents is told. */
function writtenTransient(
  cib: CibView,
  of: string | undefined,
  name: string | undefined,
): Awaited<ReturnType<TransientAttributes['read']>> {
  const nodes = of === undefined ? cib.nodes().map((node) => node.name) : [of];
  return nodes.flatMap((node) =>
    [...cib.transientAttributes(node)].flatMap(([known, value]) =>
      name === undefined || name === known ? [{ node, name: known, value }] : [],
    ),
  );
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
        for (const { node: of = node, name, value, lifetime, add, delay } of changes) {
          if (add !== undefined) throw new ToolFailure(EXIT.UNIMPLEMENTED, 'only on a node is a value counted up: give the value itself');
          // A delay keeps agents' reports together. A person's word is written as it is said; that it is to be more than the delay of a new attribute is refused.
          if (delay !== undefined && delay.sets !== 'new')
            throw new ToolFailure(EXIT.UNIMPLEMENTED, 'how long an attribute is held back is set on a node');
          await request({ ask: 'set-node-attribute', node: of, name, value, lifetime }, { tool: 'crm_attribute' });
        }
      },
      transient: {
        own: NONE_OF_ITS_OWN,
        read: async ({ node: of, name }) => writtenTransient(CibView.parse(await connection.cib(server)), of, name),
      },
    },
    close: () => connection.close(),
  };
}
