import type { DocumentChange, KnownAgents, NvpairSetName, SectionOfValues } from '@systole/cib';

/** What operators ask of resources, nodes and the cluster by name, and what becomes an edit of the configuration. */
export type OperatorCommand =
  | SetResourceMode
  | MoveResource
  | BanResource
  | ClearResource
  | BeginRestart
  | EndRestart
  | BeginRelocation
  | EndRelocation
  | SetClusterMaintenance
  | SetAllStopped
  | SetNodesStandby
  | SetNodesMaintenance
  | RenameResource
  | RenameNode
  | SetNodeUtilization
  | SetSectionValue
  | SetResourceValue
  | ChangeDocument
  | RemoveNode;

/**
 * - `enable`, `disable`: meta-attribute `target-role`, taken away or `Stopped`;
 * - `promote`, `demote`: `target-role` `Promoted` or `Unpromoted`, of what can be promoted;
 * - `manage`, `unmanage`: `is-managed`;
 * - `maintain`, `unmaintain`: `maintenance`.
 */
export type ResourceMode = 'enable' | 'disable' | 'promote' | 'demote' | 'manage' | 'unmanage' | 'maintain' | 'unmaintain';

/**
 * Written is on the resource itself; for what stands directly in a clone or bundle on that one, as `crm_resource` does. A member of a group is meant alone. Refused when it would not be in force, because
 * something else decides.
 */
export interface SetResourceMode {
  readonly type: 'set-resource-mode';
  readonly resource: string;
  /** Further ones, in the same event or none. */
  readonly also?: readonly string[];
  readonly mode: ResourceMode;
  readonly reason?: string;
}

/** What of a resource is to be placed, and for how long. What stands in a clone or bundle is placed with that. */
interface Placement {
  readonly resource: string;
  /** Its promoted role only. */
  readonly promoted?: boolean;
  /** ISO 8601 duration after which it ends (`lifetimeEnd`); absent: never. */
  readonly lifetime?: string;
  /** When it was asked for, epoch seconds: the lifetime begins. */
  readonly now: number;
  readonly reason?: string;
}

/** To a node (`cli-prefer-R`), in the place of earlier moves, and of a ban there; without one away from where it runs, as a ban there. */
export interface MoveResource extends Placement {
  readonly type: 'move-resource';
  readonly node?: string;
}

/** Away from a node (`cli-ban-R-on-N`); without one from where it runs, if that is one place. */
export interface BanResource extends Placement {
  readonly type: 'ban-resource';
  readonly node?: string;
}

/** Removes what moves and bans have left behind. */
export interface ClearResource {
  readonly type: 'clear-resource';
  readonly resource: string;
  /** Only what names this node. */
  readonly node?: string;
  /** Only what is of the promoted role. */
  readonly promoted?: boolean;
  /** Only what has ended by `now`. */
  readonly expired?: boolean;
  /** Epoch seconds. */
  readonly now: number;
  readonly reason?: string;
}

/** Cluster option `maintenance-mode`. */
export interface SetClusterMaintenance {
  readonly type: 'set-cluster-maintenance';
  readonly maintenance: boolean;
  readonly reason?: string;
}

/** Cluster option `stop-all-resources`. */
export interface SetAllStopped {
  readonly type: 'set-all-stopped';
  readonly stopped: boolean;
  readonly reason?: string;
}

/** Attribute `standby` of several nodes at once, as one event or none. */
export interface SetNodesStandby {
  readonly type: 'set-nodes-standby';
  /** Names; absent: all cluster nodes. */
  readonly nodes?: readonly string[];
  readonly standby: boolean;
  readonly reason?: string;
}

/** The same of the attribute `maintenance`. */
export interface SetNodesMaintenance {
  readonly type: 'set-nodes-maintenance';
  /** Names; absent: all cluster nodes. */
  readonly nodes?: readonly string[];
  readonly maintenance: boolean;
  readonly reason?: string;
}

/**
 * Gives a resource another id, and whatever refers to it the new one. What has a history by that id, a primitive, must be active nowhere: the cluster would take it for another one. What is known of it is forgotten.
 */
export interface RenameResource {
  readonly type: 'rename-resource';
  readonly resource: string;
  /** The new id. */
  readonly to: string;
  readonly reason?: string;
}

/** Gives a node that runs nothing another name, and another id with it: as if it had been removed and a new one had its attributes, and whatever names it. Its agent joins by a token for the new name. */
export interface RenameNode {
  readonly type: 'rename-node';
  readonly node: string;
  /** The new name. */
  readonly to: string;
  readonly reason?: string;
}

/** What a node can carry of something, or that nothing is said about it. */
export interface SetNodeUtilization {
  readonly type: 'set-node-utilization';
  readonly node: string;
  readonly name: string;
  /** A whole number, zero or more; absent: it is cleared. */
  readonly value?: string;
  readonly reason?: string;
}

/** A cluster option or a default, or that it is not set. */
export interface SetSectionValue {
  readonly type: 'set-section-value';
  readonly section: SectionOfValues;
  readonly name: string;
  /** Absent: it is taken away. */
  readonly value?: string;
  /** Id of the very set that is meant; absent: where it stands, or the set that `crm_attribute` makes. */
  readonly set?: string;
  readonly reason?: string;
}

/** A parameter, a meta-attribute or a need of a resource, or that it is not set. Written is on the resource itself; a meta-attribute of what stands directly in a clone or bundle on that one, as `crm_resource` does. */
export interface SetResourceValue {
  readonly type: 'set-resource-value';
  readonly resource: string;
  readonly kind: Exclude<NvpairSetName, 'cluster_property_set'>;
  readonly name: string;
  /** Absent: it is taken away. */
  readonly value?: string;
  /** Also with what is surely not meant; recorded. */
  readonly force?: true;
  /** What nodes had told of their resource agents when it was asked for; absent: nothing. */
  readonly agents?: KnownAgents;
  readonly reason?: string;
}

/** Changes of the document by element, as `cibadmin` asks for them; all or none. */
export interface ChangeDocument {
  readonly type: 'change-document';
  readonly changes: readonly DocumentChange[];
  /** See {@link SetResourceValue}. */
  readonly force?: true;
  /** See {@link SetResourceValue}. */
  readonly agents?: KnownAgents;
  readonly reason?: string;
}

/**
 * Takes a node out of the configuration, with its attributes. Refused while it may run something. Should its agent join again, it is a node of the cluster again: revoke its token.
 */
export interface RemoveNode {
  readonly type: 'remove-node';
  readonly node: string;
  /** Takes along what names it: location constraints and fencing levels. Else it is refused while anything does. */
  readonly cascade?: boolean;
  readonly reason?: string;
}

/**
 * Stops a resource for a time: by a set of meta-attributes that goes before all others and ends by itself, so that what its `target-role` was holds again whatever becomes of whoever asked. Refused for what is not
 * active, or would not stop.
 */
export interface BeginRestart {
  readonly type: 'begin-restart';
  readonly resource: string;
  /** When it was asked for, epoch seconds. */
  readonly now: number;
  /** After how many seconds it may start again in any case. */
  readonly seconds: number;
  readonly reason?: string;
}

/** Lets it start again at once. No events when it may already. */
export interface EndRestart {
  readonly type: 'end-restart';
  readonly resource: string;
}

/**
 * Lets a resource, or all of them, go where they would go if they ran nowhere: for a time their stickiness counts for nothing, by sets of meta-attributes that go before all others and end by themselves.
 */
export interface BeginRelocation {
  readonly type: 'begin-relocation';
  /** Absent: all. What stands in a clone or bundle is relocated with that. */
  readonly resource?: string;
  /** When it was asked for, epoch seconds. */
  readonly now: number;
  /** After how many seconds their stickiness counts again in any case. */
  readonly seconds: number;
  readonly reason?: string;
}

/** Their stickiness counts again at once. No events when it does already. */
export interface EndRelocation {
  readonly type: 'end-relocation';
  readonly resource?: string;
}
