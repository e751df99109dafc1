import type { ImportedTicket } from './imported-tickets.js';
import type { EpochVersion } from '../epoch/epoch-version.js';
import type { ClusterEvent } from '../events/cluster-event.js';
import type { ConfigurationFinding, FindingKind, NewSecret, Sealing, UpgradeChange, XmlElement } from '@systole/cib';

/**
 * Why a command was refused, as a value; the api maps `status` to HTTP and `code` to the problem type
 * `https://systole.dev/problems/<code>`.
 */
export interface Rejection {
  readonly code: RejectionCode;
  readonly status: 403 | 404 | 409 | 410 | 412 | 422;
  /** What is wrong, where, and what to do next. */
  readonly message: string;
  /** JSON pointer into the command's fields (`/node`, `/cib`). */
  readonly pointer?: string;
  /** Stream version against which it was judged. */
  readonly currentVersion: number;
  /** Its epoch's mark (see `EpochVersion`); absent in the first one. */
  readonly currentEpoch?: string;
  /** One for each thing wrong in a document. */
  readonly issues?: readonly RejectionIssue[];
}

export interface RejectionIssue {
  readonly message: string;
  readonly pointer?: string;
  /** Path of the element in the submitted XML, e.g. `/cib/configuration/resources/primitive[@id='db']`. */
  readonly path?: string;
  /** The attribute of that element that is wrong, if it is one. */
  readonly attribute?: string;
  /** Line in the submitted XML, from 1. */
  readonly line?: number;
  /** Of what is valid and surely not meant, which can be forced: its kind. */
  readonly finding?: FindingKind;
  /** The known name or word that was most likely meant. */
  readonly suggestion?: string;
  /** It was there before, and is no reason to refuse. */
  readonly standing?: true;
  /** What of the cluster it is about, where that is nothing of the request: what is in the way. */
  readonly about?: IssueSubject;
}

/** A part of a cluster that an issue is about. */
export interface IssueSubject {
  /** `node`, `resource`, or the name of an element of the configuration (`rsc_location`). */
  readonly kind: string;
  /** Of a node its name. Of an element without an id of its own that of what it stands in. */
  readonly id: string;
  /** The attribute by which it refers to what was asked for. */
  readonly attribute?: string;
  /** What it refers to by that. */
  readonly to?: string;
}

export type RejectionCode =
  | 'cluster-not-found'
  | 'cluster-exists'
  /** Everything is being stopped: what was asked would start something again. */
  | 'cluster-stopping'
  | 'cluster-not-stopping'
  /** Told to agents only: what runs on their nodes keeps running, and nobody looks after it any more. */
  | 'cluster-deleted'
  | 'node-not-found'
  | 'resource-not-found'
  | 'element-not-found'
  /** There is something with that id. */
  | 'element-exists'
  /** Others refer to what is to be deleted. */
  | 'element-in-use'
  /** A JSON Patch expects something that is not so. */
  | 'patch-test-failed'
  | 'transition-not-found'
  | 'fencing-not-found'
  | 'version-mismatch'
  | 'stale-decision'
  | 'incarnation-superseded'
  /** Of the newest incarnation: its lease ran out. It may leave everything running, join anew, and will be probed. */
  | 'lease-lost'
  /** Of the newest incarnation: the node counts as down, and what ran there may run elsewhere. Everything there must stop; then it may join anew. */
  | 'declared-down'
  | 'reset-ordered'
  /** Another boot holds the node's lease, or may still run what the node ran. */
  | 'node-joined-elsewhere'
  /** A later try of the agent, or an agent process that was started later, has joined from this boot. */
  | 'join-overtaken'
  /** The agent waits for it no longer, and may have had something newer written since. Nothing of it was, nor will be. */
  | 'write-overtaken'
  /** The event log went back in time since the agent joined: it has to join anew and leaves everything running; it will be probed. */
  | 'log-epoch-changed'
  | 'attribute-reserved'
  /** The cluster does not let the agent of that node have it written (`systole-agent-writes`). */
  | 'not-for-this-agent'
  /** What was asked would be written where something else decides. */
  | 'attribute-overridden'
  /** Agents have set so many attributes of a node that they may set no more. */
  | 'attributes-full'
  /** What was to go to a node is there. */
  | 'already-there'
  /** What was to leave where it is is nowhere, or in several places. */
  | 'place-not-clear'
  /** What was to be removed is named elsewhere in the configuration. */
  | 'still-referred-to'
  | 'node-online'
  | 'still-active'
  | 'node-offline'
  | 'fencing-disabled'
  | 'transition-running'
  /** The cluster starts and stops the resource as it sees fit: what was asked would be against that. */
  | 'still-managed'
  /** Another debug operation of the resource has not ended. */
  | 'debug-running'
  /** The agent of the node does not know what was asked. */
  | 'agent-too-old'
  /** What depends on the ticket may run because of it. */
  | 'ticket-granted'
  | 'invalid-configuration'
  /** It is valid, and says what is surely not meant: it can be forced. */
  | 'doubtful-configuration'
  /** A secret, or a reference to one, can't stand where it was written. */
  | 'secret-refused'
  | 'secret-not-found'
  | 'invalid-argument';

export type Decision =
  | {
      readonly ok: true;
      readonly events: readonly ClusterEvent[];
      /** What was changed to bring the command's document to the current schema; absent where it carries none. */
      readonly upgrade?: DocumentUpgrade;
      /** Values that the events refer to, in clear: to be kept with them, or forgotten. Absent: none. */
      readonly secrets?: readonly NewSecret[];
    }
  | { readonly ok: false; readonly rejection: Rejection };

/** What was changed to bring a document to the current schema. */
export interface DocumentUpgrade {
  readonly count: number;
  /** The first of them, two hundred at most: those to check before those that were dropped, and these before those that only rewrote something. */
  readonly changes: readonly UpgradeChange[];
}

/** A document that was accepted, brought to the current schema, with an empty status section; or what is wrong with it, and what is valid and surely not meant. */
export type ConfigurationReading =
  | {
      readonly ok: true;
      /** Without its status. */
      readonly cib: XmlElement;
      readonly upgrade: DocumentUpgrade;
      /** What its status said of tickets. */
      readonly tickets: readonly ImportedTicket[];
    }
  | {
      readonly ok: false;
      readonly issues: readonly RejectionIssue[];
      readonly findings?: readonly ConfigurationFinding[];
      /** As far as it can be read all the same: so that what nodes know of its agents is told at once. */
      readonly legible?: XmlElement;
    };

export interface DecideOptions {
  /**
   * `If-Match` of the request, any of these: another version of the state is refused with 412 `version-mismatch`, and one of another epoch of the log; of a new
   * configuration, a version that another configuration was put in force after.
   */
  readonly expected?: readonly EpochVersion[];
  /** Reads the document that a command carries; `readConfiguration` when left out. For callers that remember what they have read. */
  readonly read?: (text: string) => ConfigurationReading;
  /** With what secrets are taken out of what is written; left out: they stay where they are. */
  readonly sealing?: Sealing;
}
