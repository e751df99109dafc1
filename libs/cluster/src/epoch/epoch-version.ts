import type { ClusterState } from '../state/cluster-state.js';

/**
 * A version of a cluster in an epoch of its log. The number alone does not name a state: a log that went back in time gives the numbers of its lost tail to other
 * events.
 */
export interface EpochVersion {
  /** Stream version, from 1. */
  readonly version: number;
  /** The epoch's mark: the first group of its id. Absent in the first epoch. */
  readonly epoch?: string;
}

/** What a version of the log of this state is called; its own when left out. One from before the present epoch has no epoch: it names nothing that may be changed any more. */
export function epochVersion({ epoch, ...state }: Pick<ClusterState, 'epoch' | 'version'>, version = state.version): EpochVersion {
  const mark = epoch === undefined || version < epoch.version ? undefined : epoch.id.split('-', 1)[0];
  return mark === undefined ? { version } : { version, epoch: mark };
}

/**
 * What the present state of something is called that has not changed since a version: one of the present epoch, so that it may be changed by that name, though it has been so since before the log
 * went back.
 */
export function unchangedSince(state: Pick<ClusterState, 'epoch' | 'version'>, version: number): EpochVersion {
  return epochVersion(state, Math.max(version, state.epoch?.version ?? 0));
}

/** As text: `9`, and in a later epoch `9-3f2a8b1c`. */
export function versionText({ version, epoch }: EpochVersion): string {
  return epoch === undefined ? String(version) : `${String(version)}-${epoch}`;
}

/** Reads what {@link versionText} wrote; undefined for anything else. */
export function readVersionText(text: string): EpochVersion | undefined {
  const [, version, epoch] = /^([1-9]\d{0,15})(?:-([^-\s"]+))?$/.exec(text) ?? [];
  if (version === undefined) return undefined;
  return epoch === undefined ? { version: Number(version) } : { version: Number(version), epoch };
}
