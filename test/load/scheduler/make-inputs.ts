/**
 * Writes the CIBs of one cluster into a directory: `cold.xml` and `settled.xml`, and what then happens to a settled one: `failed.xml` (a monitor
 * failed) and `lost.xml` (a node was lost). A process of its own, so that no cluster stays in the bench's memory.
 *
 *     node make-inputs.js mixed|exclusive NODES RESOURCES DIRECTORY
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { serializeXml, type XmlElement } from '@systole/cib';
import { exclusiveCluster, mixedCluster } from './clusters.js';
import { afterEvents, monitorFailure, settled } from './states.js';

const [kind, nodes, resources, directory = ''] = process.argv.slice(2);
const size = { nodes: Number(nodes), resources: Number(resources) };

function write(state: string, document: XmlElement): void {
  writeFileSync(`${directory}/${state}.xml`, serializeXml(document));
}

mkdirSync(directory, { recursive: true });
const cold = kind === 'exclusive' ? exclusiveCluster(size) : mixedCluster(size);
write('cold', cold);
const steady = settled(cold);
write('settled', steady);
write('failed', afterEvents(steady, { operations: [monitorFailure(steady)] }));
write('lost', afterEvents(steady, { nodesFailed: ['node1'] }));
