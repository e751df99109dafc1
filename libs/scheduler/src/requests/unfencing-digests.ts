import { type Cluster, leaves } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { sameText } from '../model/names.js';
import { unfencingDigests } from '../operations/digests.js';

/** Fence devices that unfence, newest first (specification 02 §13.7). */
export function unfencingDevices(cluster: Cluster): Resource[] {
  const devices: Resource[] = [];
  for (const top of cluster.resources) {
    for (const leaf of leaves(top)) {
      if (leaf.fenceDevice && (leaf.needsUnfencing || sameText(leaf.meta.get('provides'), 'unfencing'))) devices.unshift(leaf);
    }
  }
  return devices;
}

/** The digest lists of a fencing action, and whether what the node recorded differs from them, of which a note is made (specification 03 §12.6, 01 §11.6). */
export function unfencingState(cluster: Cluster, node: ClusterNode): { all: string; secure: string; mismatch: boolean } {
  const recordedAll = node.attributes.get('#digests-all');
  const recordedSecure = node.attributes.get('#digests-secure');
  let all = '';
  let secure = '';
  let mismatch = false;
  for (const device of unfencingDevices(cluster)) {
    const digests = unfencingDigests(cluster, device, node);
    const prefix = `${device.id}:${device.meta.get('type') ?? ''}`;
    all += `${prefix}:${digests.all},`;
    secure += `${prefix}:${digests.secure},`;
    if (recordedAll === undefined || recordedAll.includes(`${prefix}:${digests.all}`)) continue;
    if (recordedSecure?.includes(`${prefix}:${digests.secure}`) === true) {
      cluster.note(`Only 'private' parameters to ${device.id} for unfencing ${node.name} changed`);
      continue;
    }
    mismatch = true;
    cluster.note(`Parameters to ${device.id} for unfencing ${node.name} changed, try '${prefix}:${digests.secure}'`);
    cluster.note(`notice: Unfencing node ${node.name} because the definition of ${device.id} changed`);
  }
  return { all, secure, mismatch };
}
