import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { element, serializeXml } from '@systole/cib';
import { DemoNode } from '@systole/examples';
import { cluster, nvpairs } from '../../scheduler/clusters.js';
import { sendOk } from '../../viewers/api-calls.js';
import { newDirectory, Served } from '../served.js';
import { PEER_NODES, type Peer } from './peer.js';

/** The product with real agents, each with a `/run` of its own. */
export async function startSystole(): Promise<Peer> {
  const directory = newDirectory();
  const pidDirectory = join(directory, 'pids');
  const served = await Served.start();
  const { url, adminToken } = served;
  const empty = cluster(PEER_NODES.length, { 'stonith-enabled': 'false' }, [], []);
  const { id } = await sendOk(url, 'POST', '/v1/clusters', adminToken, { json: { name: 'peer', cib: serializeXml(empty) } });
  const nodes = new Map<string, DemoNode>();
  for (const name of PEER_NODES) {
    const { secret } = await sendOk(url, 'POST', '/v1/tokens', adminToken, { json: { role: 'agent', name, cluster: id, node: name } });
    const node = new DemoNode({ name, serverUrl: url, token: String(secret), directory: join(directory, name), pidDirectory });
    nodes.set(name, node);
    await node.start();
  }
  return {
    name: 'Systole',
    configure: async (cib) => {
      await sendOk(url, 'PUT', `/v1/clusters/${String(id)}/cib`, adminToken, {
        headers: { 'if-match': '*' },
        body: { type: 'application/xml', content: serializeXml(cib) },
      });
    },
    stateDirectory: (node) => join(directory, node, 'run', 'systole-agent', 'rsctmp'),
    fenceDevice: element('primitive', { id: 'fence', class: 'stonith', type: 'fence_systole_demo' }, [
      element(
        'instance_attributes',
        { id: 'fence-parameters' },
        nvpairs('fence-parameters', { pcmk_host_list: PEER_NODES.join(' '), piddir: pidDirectory }),
      ),
    ]),
    kill: (node) => {
      nodes.get(node)?.kill();
      return Promise.resolve();
    },
    stop: async () => {
      for (const node of nodes.values()) {
        node.kill();
        await node.whenDown();
      }
      await served.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
