import type { CibProblem, Sealing } from '@systole/cib';
import type { ClusterCommand, ClusterState, Decision, EpochVersion, resultOf } from '@systole/cluster';
import type { Schedule } from '@systole/scheduler';
import type { Assumed, Failure, Loss, MonitorFacts, MonitorSelection, Outcome } from '@systole/simulator';
import type { FindingsDto } from '../findings/finding.dto.js';
import type { ExplanationOutcome, ExplanationSelection, PlacementView, UnknownName } from '../scheduling/explanation-view.js';

/** A CIB as text, as XML or as JSON. */
export interface CibText {
  readonly format: 'xml' | 'json';
  readonly text: string;
}

/** A CIB that the thread is told of before the task (see computing-lane.ts). */
export interface ToldCib {
  readonly format: 'told';
  readonly key: string;
}

/** What costs too much for the thread that answers requests. */
export type Task =
  | PictureTask
  | MonitorTask
  | AnswerTask
  | ScheduleTask
  | ExplainTask
  | DigestTask
  | DotTask
  | ResultsTask
  | DecideTask
  | XmlTask
  | LossTask
  | WhatIfTask;

/** What the scheduler is run on. */
export interface Planning {
  readonly cib: CibText | ToldCib;
  /** Effective time, epoch seconds. */
  readonly now: number;
}

/** How nodes and resources are. */
export interface PictureTask extends Planning {
  readonly kind: 'picture';
}

/** How nodes and resources are, as `crm_mon` tells it in XML. */
export interface MonitorTask extends Planning {
  readonly kind: 'monitor';
  readonly facts: MonitorFacts;
  readonly selection: MonitorSelection;
}

/** The whole schedule, with its scores, as the text of an answer: it may be very long, and costs nothing to pass on as it is. */
export interface AnswerTask extends Planning {
  readonly kind: 'answer';
  /** Also explain this; nothing when absent. */
  readonly explain?: ExplanationSelection;
}

/** The schedule without scores, as the text of a part of an answer. */
export interface ScheduleTask extends Planning {
  readonly kind: 'schedule';
  /** With its graph within, or apart. */
  readonly graph: 'within' | 'apart';
  /** What is forgotten of resources on nodes: is probed first. */
  readonly forgotten: readonly { readonly resource: string; readonly node: string }[];
}

/** The reasons of a schedule. */
export interface ExplainTask extends Planning {
  readonly kind: 'explain';
  readonly explain: ExplanationSelection;
}

/** The digest of the graph, as TransitionPlanned records it. */
export interface DigestTask extends Planning {
  readonly kind: 'digest';
}

/** The graph in the dot language. */
export interface DotTask extends Planning {
  readonly kind: 'dot';
}

/** What would become of the cluster that loses nodes, or a resource of which fails. */
export interface LossTask extends Planning {
  readonly kind: 'loss';
  readonly loss: Loss | Failure;
}

/** What would become of the cluster to which something happens. */
export interface WhatIfTask extends Planning {
  readonly kind: 'what-if';
  readonly assumed: Omit<Assumed, 'now'>;
}

/** What came of each action of a graph, which is JSON in UTF-8. */
export interface ResultsTask {
  readonly kind: 'results';
  readonly graph: Uint8Array;
  readonly transition: NonNullable<ClusterState['transition']>;
}

/** Decide a command that carries a large document. */
export interface DecideTask {
  readonly kind: 'decide';
  readonly command: ClusterCommand;
  /** Without its CIB, which the thread is told of. */
  readonly state: Omit<ClusterState, 'cib'>;
  readonly cib: ToldCib;
  readonly expected?: readonly EpochVersion[];
  readonly sealing?: Sealing;
}

/** Turn a CIB as JSON into the same as XML. */
export interface XmlTask {
  readonly kind: 'xml';
  readonly json: string;
}

/** A schedule without the parts of its scores: those that were asked for are in an explanation of their own. */
export interface BareSchedule extends Omit<Schedule, 'explanation'> {
  readonly probes: readonly Probe[];
}

/** That it is still to be asked whether a resource runs on a node; of an instance of an anonymous clone by the name of what is cloned. */
export interface Probe {
  readonly resource: string;
  readonly node: string;
}

/** How nodes and resources are, and what the scheduler says to it. */
export interface Picture extends Pick<Schedule, 'nodes' | 'resources' | 'messages'> {
  readonly probes: readonly Probe[];
  /** What is found in the configuration; `messages` say nothing of it. */
  readonly findings: FindingsDto;
  /** Whether it is the same at any other time, because nothing in it depends on the time. */
  readonly timeless: boolean;
}

/** JSON in UTF-8; the graph where it was asked for apart. */
export interface ScheduleTexts {
  readonly text: Uint8Array<ArrayBuffer>;
  readonly graph?: Uint8Array<ArrayBuffer>;
}

/** An outcome, and why resources that are down are started nowhere. */
export interface LossWithReasons {
  readonly outcome: Outcome & {
    /** The nodes that are lost; none where a resource fails. */
    readonly nodes: readonly string[];
    readonly failed?: Failure;
    /** No monitor would notice the failure. */
    readonly unnoticed?: true;
  };
  readonly why: readonly PlacementView[];
}

/** The text of an answer as UTF-8; or the resource or node that is asked about is not there. */
export type AnswerText = { readonly text: Uint8Array<ArrayBuffer> } | { readonly unknown: UnknownName };

/** The text of an answer as UTF-8; or what of the assumptions can't be. */
export type WhatIfText = { readonly text: Uint8Array<ArrayBuffer> } | { readonly impossible: readonly string[] };

/** What came of an action of a graph. */
export type ActionResult = { readonly id: number } & NonNullable<ReturnType<typeof resultOf>>;

/** What each kind of task comes to. */
export interface TaskResults {
  readonly picture: Picture;
  readonly monitor: string;
  readonly answer: AnswerText;
  readonly schedule: ScheduleTexts;
  readonly explain: { readonly digest: string; readonly explanation: ExplanationOutcome };
  readonly digest: string;
  readonly dot: string;
  readonly results: readonly ActionResult[];
  readonly decide: Decision;
  readonly xml: string;
  readonly loss: LossWithReasons;
  readonly 'what-if': WhatIfText;
}

/** What is wrong with a CIB that is not taken in. */
export type CibRefusal =
  /** With a pointer where a key is there twice. */
  | { readonly wrong: 'json'; readonly message: string; readonly pointer?: string }
  | { readonly wrong: 'json-tree'; readonly message: string; readonly pointer: string }
  | {
      readonly wrong: 'cib';
      readonly message: string;
      /** Line of the first mistake, from 1. */
      readonly line?: number;
      readonly problems: readonly CibProblem[];
    };

export type TaskOutcome =
  | { readonly outcome: 'done'; readonly result: TaskResults[keyof TaskResults] }
  | { readonly outcome: 'refused'; readonly refusal: CibRefusal };
