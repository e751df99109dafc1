import type { XmlElement } from '@systole/cib';
import { withAttributes } from './tree.js';
import type { DocumentVersion } from '../events/configuration.js';

/** Pacemaker counts no further. */
const HIGHEST = 2 ** 31 - 2;

/** The version of a CIB; a part that is none, or that nobody could count on from, is 0. */
export function documentVersion({ attributes: { admin_epoch: adminEpoch, epoch } }: XmlElement): DocumentVersion {
  return { adminEpoch: part(adminEpoch), epoch: part(epoch) };
}

function part(text = ''): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return value <= HIGHEST ? value : 0;
}

export function isHigher(one: DocumentVersion, other: DocumentVersion): boolean {
  return one.adminEpoch === other.adminEpoch ? one.epoch > other.epoch : one.adminEpoch > other.adminEpoch;
}

/** The CIB with that version. */
export function withDocumentVersion(cib: XmlElement, { adminEpoch, epoch }: DocumentVersion): XmlElement {
  return withAttributes(cib, { admin_epoch: String(adminEpoch), epoch: String(epoch), num_updates: '0' });
}
