import { clusterOption, fencingDevices, fencingEnabled, type ClusterState } from '@systole/cluster';
import type { SafetyNoteDto } from './status.dto.js';

/** What about a cluster reduces the safety of its data, and what to do about it. */
export function safetyNotes(state: ClusterState): readonly SafetyNoteDto[] {
  const notes: SafetyNoteDto[] = [];
  const fencing = fencingEnabled(state.cib);
  if (!fencing) {
    notes.push({
      code: 'fencing-disabled',
      text: 'Fencing is switched off: when a node is lost, safety rests on its agent stopping its resources in time. Configure a fence device and set stonith-enabled=true.',
    });
  } else {
    notes.push(...withoutUsableDevice(state));
  }
  for (const { name, membership, since } of Object.values(state.nodes)) {
    if (membership !== 'lost') continue;
    notes.push({
      code: 'node-lost',
      text: fencing
        ? `${name} was lost at ${since} and may still run resources; they start elsewhere after it is fenced or confirmed down.`
        : `${name} was lost at ${since}. Without fencing its resources start elsewhere in the belief that its agent has stopped them: make sure that it has.`,
    });
  }
  const policy = clusterOption(state.cib, 'no-quorum-policy')?.toLowerCase();
  if (policy === 'ignore') {
    notes.push({
      code: 'quorum-ignored',
      text: 'no-quorum-policy is ignore: parts of the cluster that cannot see one another may run the same resource unless fencing prevents it.',
    });
  }
  if (state.quorum?.quorate === false) {
    notes.push({ code: 'no-quorum', text: 'The cluster has no quorum: what happens is said by no-quorum-policy.' });
  }
  return notes;
}

/** Fencing is switched on: is there anything to fence with? */
function withoutUsableDevice(state: ClusterState): readonly SafetyNoteDto[] {
  const devices = fencingDevices(state.cib);
  if (devices.some(({ disabled }) => !disabled)) return [];
  // The scheduler manages nothing without a device or a watchdog (specification 03 §2.6); one that is stopped counts as one there.
  const nothingManaged = devices.length === 0 && clusterOption(state.cib, 'have-watchdog')?.toLowerCase() !== 'true';
  const consequence = nothingManaged
    ? 'nothing is started, stopped or recovered (every resource counts as unmanaged)'
    : 'the resources of a lost node start elsewhere only after somebody confirms that it is down';
  return [
    {
      code: 'no-fence-device',
      text: `Fencing is switched on, but there is no fence device: ${consequence}. Configure a fence device, or set stonith-enabled=false.`,
    },
  ];
}
