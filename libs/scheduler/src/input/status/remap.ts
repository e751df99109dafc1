import { observing } from '../../model/resource/observing.js';
import { canFence } from '../../requests/fencing.js';
import { Handling } from '../../operations/definitions.js';
import { RoleLevel } from '../../model/role.js';
import { block } from './activity.js';
import { isProbe, type Judged, type Reading, recordFailed } from './reading.js';

/** Maps recorded results to what they mean for scheduling (specification 03 §7.5). */
export function remap(reading: Reading, judged: Judged): void {
  const { resource, node } = reading;
  const { entry, expired } = judged;
  if (judged.rc === 190 || judged.rc === 191) {
    judged.rc = judged.rc === 190 ? 0 : 8;
    if (!expired && (node.online || !node.shutdown)) recordFailed(reading, entry);
  }
  if (judged.masked) {
    judged.status = 0;
    judged.rc = 7;
  }
  if (judged.status === 10 || judged.status === 11) {
    judged.status = 5;
    return;
  }
  if (judged.status !== 0 && judged.status !== 4) return;
  judged.status = entry.expected >= 0 && judged.rc === entry.expected ? 0 : 4;
  const probe = isProbe(entry);
  const asExpected = judged.rc === entry.expected;
  switch (judged.rc) {
    case 0:
      if (probe && entry.expected === 7) judged.status = 0;
      break;
    case 7:
      if (probe || entry.expected === 7 || !resource.managed) {
        judged.status = 0;
        observing(resource).observedRole = RoleLevel.Stopped;
        reading.handling = Handling.Ignore;
        observing(resource).nextRole = RoleLevel.Unknown;
      }
      break;
    case 8:
      if (probe && !asExpected) judged.status = 0;
      if (!expired || asExpected) observing(resource).observedRole = RoleLevel.Promoted;
      break;
    case 9:
      if (!expired) observing(resource).observedRole = RoleLevel.Promoted;
      judged.status = 4;
      break;
    case 6:
      judged.status = 6;
      break;
    case 3:
      if (entry.interval > 0) {
        judged.status = 3;
        break;
      }
      failHard(reading, judged);
      break;
    case 5:
    case 2:
    case 4:
      failHard(reading, judged);
      break;
    default:
      if (judged.status === 0) judged.status = 4;
  }
}

/** A hard error; a failed stop on a node that can't be fenced blocks the resource for good. */
function failHard(reading: Reading, judged: Judged): void {
  if (!judged.expired && judged.operation === 'stop' && !canFence(reading.cluster, reading.node)) block(reading.resource);
  judged.status = 5;
}
