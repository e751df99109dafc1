import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { PastQuery } from '../reads/past.query.js';
import type { PlacementRule, ScoreCause } from '@systole/scheduler';
import { ChoiceField, FlagParameter, TextField, TextListParameter } from '../http/fields.js';
import type { ExplanationSelection } from '../scheduling/explanation-view.js';

/** What of an explanation is asked for. */
export class ExplanationQuery {
  @TextListParameter({
    description:
      'These resources only; several separated by commas, or given several times. A group, clone or bundle stands for all its primitives, a primitive in a clone for its instances.',
    max: 50,
    optional: true,
  })
  readonly resource?: readonly string[];

  @TextField({ description: 'Candidates and actions on this node only.', max: 255, optional: true })
  readonly node?: string;

  @ChoiceField({ of: ['planned', 'blocked', 'all'], description: 'Which actions; all when left out.', optional: true })
  readonly actions?: 'planned' | 'blocked' | 'all';

  @FlagParameter({
    description: 'Say what each score is made of; when left out, that is done where resources or a node are named.',
    optional: true,
  })
  readonly parts?: boolean;
}

export class ClusterExplanationQuery extends IntersectionType(ExplanationQuery, PastQuery) {}

export function selectionOf({ resource = [], node, actions = 'all', parts }: ExplanationQuery): ExplanationSelection {
  return {
    resources: resource,
    ...(node === undefined ? {} : { node }),
    actions,
    parts: parts ?? (resource.length > 0 || node !== undefined),
  };
}

const CAUSES = Object.keys({
  node: true,
  health: true,
  location: true,
  stickiness: true,
  failures: true,
  'migration-threshold': true,
  colocation: true,
  dependent: true,
  'dependent-floor': true,
  'promotion-score': true,
  'no-promotion-score': true,
  priority: true,
  'already-promoted': true,
  'not-promotable': true,
  'not-placed': true,
  'no-partner': true,
  ticket: true,
  'shutdown-lock': true,
  'exclusive-discovery': true,
  'to-be-stopped': true,
  history: true,
  'multiply-active': true,
  unmanaged: true,
  removed: true,
  utilization: true,
  instance: true,
  'bundle-node': true,
  'remote-node': true,
  launcher: true,
} satisfies Record<ScoreCause['kind'], true>);

/** What a part of a score comes from; which of the fields are there depends on the kind. */
export class ScoreCauseDto {
  @ApiProperty({ enum: CAUSES, example: 'location', description: 'What it comes from.' }) readonly kind!: string;
  @ApiPropertyOptional({ description: 'Id of the location or colocation constraint; `#…` for those that the scheduler makes itself.' })
  readonly constraint?: string;
  @ApiPropertyOptional({ description: 'Of a colocation: the resource that this one is to be with, or apart from.' })
  readonly primary?: string;
  @ApiPropertyOptional({ description: 'The resource that is to be with this one, or apart from it.' }) readonly dependent?: string;
  @ApiPropertyOptional({ description: 'The two are to be kept apart, so that its preference counts the other way round.' })
  readonly apart?: boolean;
  @ApiPropertyOptional({ type: String, isArray: true, description: 'The resources between the two, nearest first.' })
  readonly through?: readonly string[];
  @ApiPropertyOptional({ description: 'The resource that failed, or that has a promotion score.' }) readonly resource?: string;
  @ApiPropertyOptional({ type: 'integer', description: 'Failures that count.' }) readonly count?: number;
  @ApiPropertyOptional({ type: 'integer', description: 'What each failure adds.' }) readonly each?: number;
  @ApiPropertyOptional({ type: 'integer', description: 'The fail count.' }) readonly failures?: number;
  @ApiPropertyOptional({ type: 'integer', description: 'migration-threshold.' }) readonly threshold?: number;
  @ApiPropertyOptional({ description: 'node-health-strategy.' }) readonly strategy?: string;
  @ApiPropertyOptional({ description: 'The role that it is to have.' }) readonly role?: string;
  @ApiPropertyOptional({ description: 'Id of the ticket.' }) readonly ticket?: string;
  @ApiPropertyOptional({ description: 'The node that it is locked to.' }) readonly node?: string;
  @ApiPropertyOptional({ description: 'The operation in the history.' }) readonly operation?: string;
  @ApiPropertyOptional({ type: 'integer', description: 'Its OCF return code.' }) readonly rc?: number;
  @ApiPropertyOptional({ type: 'integer', description: 'Its op-status.' }) readonly status?: number;
  @ApiPropertyOptional({ description: 'The clone or bundle that decides about its instance.' }) readonly collective?: string;
  @ApiPropertyOptional({ description: 'What it decided.' }) readonly why?: string;
  @ApiPropertyOptional({ description: 'What it runs inside of.' }) readonly launcher?: string;
}

export class ScorePartDto {
  @ApiProperty({ type: ScoreCauseDto, description: 'What it comes from, for programs.' }) readonly cause!: ScoreCauseDto;
  @ApiProperty({ type: 'integer', description: '±1,000,000 is ±INFINITY.' }) readonly amount!: number;
  @ApiProperty({ description: 'The cause in words.', example: 'location db-prefers-node1' }) readonly text!: string;
}

const PARTS = "In order; their amounts, added up by Pacemaker's arithmetic of scores, are the score.";

/** How a node stood when the resource was placed. */
export class CandidateDto {
  @ApiProperty({ description: 'Name of the node.' }) readonly node!: string;
  @ApiProperty({ type: 'integer', description: '±1,000,000 is ±INFINITY.' }) readonly score!: number;
  @ApiPropertyOptional({ description: 'Why the node can run nothing now; absent for a usable one.', example: 'standby' })
  readonly unusable?: string;
  @ApiPropertyOptional({ type: ScorePartDto, isArray: true, description: PARTS }) readonly parts?: readonly ScorePartDto[];
}

/** How an instance of a promotable clone stood when those to be promoted were chosen. */
export class PromotionDto {
  @ApiProperty({ description: 'The instance: the primitive itself, or the group that it is a member of.' }) readonly instance!: string;
  @ApiProperty({ description: 'Why it is promoted, or is not.' }) readonly text!: string;
  @ApiPropertyOptional({ description: 'Where it would be promoted; absent when it has no node.' }) readonly node?: string;
  @ApiProperty({ type: 'integer', description: 'The highest are promoted, those below 0 never.' }) readonly score!: number;
  @ApiPropertyOptional({ type: ScorePartDto, isArray: true, description: PARTS }) readonly parts?: readonly ScorePartDto[];
}

const ROLES = ['Stopped', 'Started', 'Unpromoted', 'Promoted', 'Unknown'];
const RULES = Object.keys({
  'highest-score': true,
  'tie-stays': true,
  'tie-emptier': true,
  'tie-name': true,
  wanted: true,
  unmanaged: true,
  'stop-all': true,
  'to-be-stopped': true,
  'no-candidate': true,
  'no-partner': true,
  surplus: true,
} satisfies Record<PlacementRule, true>);

/** Where a primitive goes, and why. */
export class PlacementDto {
  @ApiProperty({ description: 'Id of the primitive; of an instance of a clone, with its number where it has one.' })
  readonly resource!: string;
  @ApiProperty({ type: String, isArray: true, description: 'The group, clone or bundle that it belongs to, the outermost first.' })
  readonly within!: readonly string[];
  @ApiProperty({ enum: ROLES, description: 'Its role now.' }) readonly role!: string;
  @ApiProperty({ enum: ROLES, description: 'Its role after the transition.' }) readonly nextRole!: string;
  @ApiProperty({ type: String, isArray: true, description: 'Nodes on which it is active now.' }) readonly activeOn!: readonly string[];
  @ApiProperty({ description: 'Its last operation failed, so that it has to be recovered.' }) readonly failed!: boolean;
  @ApiPropertyOptional({ description: 'The node that it gets; absent when it gets none.' }) readonly node?: string;
  @ApiProperty({ enum: RULES, description: 'The rule that decided.' }) readonly rule!: string;
  @ApiProperty({ description: 'The decision in a sentence.', example: 'node1 has the highest score, 200 (next is node2 with 0)' })
  readonly text!: string;
  @ApiProperty({ type: CandidateDto, isArray: true, description: 'Nodes, the best first; one that is missing is not allowed at all.' })
  readonly candidates!: readonly CandidateDto[];
  @ApiPropertyOptional({ type: 'integer', description: 'So many more were left out to keep the answer short: name resources.' })
  readonly moreCandidates?: number;
  @ApiPropertyOptional({ type: PromotionDto, description: 'Only in promotable clones.' }) readonly promotion?: PromotionDto;
}

/** One step of a chain of reasons. */
export class ReasonDto {
  @ApiProperty({ description: 'The reason in words.' }) readonly text!: string;
  @ApiPropertyOptional({ type: 'integer', description: 'Id of the action that this one is needed for, or waits for.' })
  readonly action?: number;
  @ApiPropertyOptional({ description: 'Id of the ordering constraint between the two.' }) readonly constraint?: string;
}

/** Why an action is planned, or can't be. */
export class ActionExplanationDto {
  @ApiProperty({ type: 'integer', description: 'The id that it has in the graph, if it is there.' }) readonly id!: number;
  @ApiProperty({ example: 'start of db on node1', description: 'The action in words.' }) readonly name!: string;
  @ApiPropertyOptional({ description: 'Id of the resource that it is of; absent of what is done to a node, e.g. fencing.' })
  readonly resource?: string;
  @ApiProperty({ example: 'start', description: 'What is to be done, as in a graph.' }) readonly operation!: string;
  @ApiPropertyOptional({ description: 'Name of the node on which it is to be done; absent where it is of none.' }) readonly node?: string;
  @ApiProperty({ enum: ['planned', 'blocked'], description: '`blocked`: needed, but not possible.' }) readonly state!: string;
  @ApiProperty({ type: ReasonDto, isArray: true, description: 'From the nearest reason to the one at the root.' })
  readonly because!: readonly ReasonDto[];
}

/** Why resources go where they go, and why actions are planned or can't be. */
export class ExplanationDto {
  @ApiProperty({ type: PlacementDto, isArray: true, description: 'Where each primitive goes, and why; those that were asked for.' })
  readonly placements!: readonly PlacementDto[];
  @ApiProperty({
    type: ActionExplanationDto,
    isArray: true,
    description: 'Why actions are planned, or needed and not possible; those that were asked for.',
  })
  readonly actions!: readonly ActionExplanationDto[];
  @ApiPropertyOptional({ type: 'integer', description: 'So many more were left out to keep the answer short: name resources or a node.' })
  readonly moreActions?: number;
}

/** An explanation of what a cluster's state leads to. */
export class ClusterExplanationDto extends ExplanationDto {
  @ApiProperty({ format: 'uuid', description: 'Id of the cluster that is explained.' }) readonly clusterId!: string;
  @ApiProperty({ type: 'integer', description: 'Version of the cluster that it is computed from.' }) readonly version!: number;
  @ApiProperty({ type: 'integer', description: 'Effective time, epoch seconds.' }) readonly now!: number;
}

/** An explanation of what a transition does, computed again from the events. */
export class TransitionExplanationDto extends ClusterExplanationDto {
  @ApiProperty({ type: 'integer', description: 'The transition that is explained.' }) readonly number!: number;
  @ApiProperty({
    description: 'Whether computing again came to the recorded graph; if not, another version of the scheduler planned it.',
  })
  readonly same!: boolean;
}
