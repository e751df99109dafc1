import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childElements, element, serializeXml, type XmlElement } from '@systole/cib';
import { nvpairs } from '../../scheduler/clusters.js';
import { newDirectory } from '../served.js';
import { PEER_NODES, type Peer } from './peer.js';

const run = promisify(execFile);

/**
 * Debian's Pacemaker in namespaces of this machine.
 * @param lab program that starts such nodes: `start N`, `on NODE COMMAND…`, `kill NODE`, `stop`; the pid of a node's first process is in /run/pacemaker-lab/NODE.pid
 */
export async function startPacemaker(lab: string): Promise<Peer> {
  const directory = newDirectory();
  await run(lab, ['start', String(PEER_NODES.length)]);
  const pids = new Map<string, string>();
  for (const node of PEER_NODES) pids.set(node, (await readFile(`/run/pacemaker-lab/${node}.pid`, 'utf8')).trim());

  const replace = async (cib: XmlElement, scope: string): Promise<void> => {
    const [configuration] = childElements(cib).filter(({ name }) => name === 'configuration');
    const section = configuration && childElements(configuration).find(({ name }) => name === scope);
    if (section === undefined) throw new Error(`the CIB has no ${scope}`);
    const file = join(directory, `${scope}.xml`);
    await writeFile(file, serializeXml(section));
    await run(lab, ['on', 'node1', 'cibadmin', '--replace', '--scope', scope, '--xml-file', file]);
  };
  return {
    name: 'Pacemaker',
    configure: async (cib) => {
      await replace(cib, 'crm_config');
      await replace(cib, 'resources');
    },
    stateDirectory: (node) => `/proc/${pids.get(node) ?? ''}/root/run/resource-agents`,
    fenceDevice: element('primitive', { id: 'fence', class: 'stonith', type: 'null' }, [
      element('instance_attributes', { id: 'fence-parameters' }, nvpairs('fence-parameters', { hostlist: PEER_NODES.join(' ') })),
    ]),
    kill: async (node) => {
      await run(lab, ['kill', node]);
    },
    stop: async () => {
      await run(lab, ['stop']);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
