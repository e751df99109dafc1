import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PastQuery } from '../reads/past.query.js';
import { FlagParameter, RepeatedParameter } from '../http/fields.js';
import { FindingsDto } from '../findings/finding.dto.js';
import { EPOCH_MARK } from '../openapi/headers.js';
import { ResourceSummaryDto, SchedulerMessageDto } from '../scheduling/schedule.dto.js';

import { TicketDto } from './ticket.dto.js';
import type { QuorumPolicy } from './without-quorum.js';
import { NODE_WRONGS, type NodeWrong } from './wrong.js';

export class StatusQuery extends PastQuery {
  @RepeatedParameter({
    description: 'These nodes only, what is or will be on them, and their failures; given once for each.',
    max: 100,
    optional: true,
  })
  readonly node?: readonly string[];

  @RepeatedParameter({
    description:
      'These resources only, with what is in them, and their failures; given once for each. The name of what is cloned stands for its instances.',
    max: 100,
    optional: true,
  })
  readonly resource?: readonly string[];

  @RepeatedParameter({ description: 'Only the resources and nodes that these tags name; given once for each.', max: 100, optional: true })
  readonly tag?: readonly string[];

  @FlagParameter({ description: 'Only nodes and resources with which something is wrong (`wrong`).', optional: true })
  readonly wrong?: boolean;
}

export class QuorumDto {
  @ApiProperty({ description: 'Whether enough votes are there: without quorum the no-quorum-policy says what becomes of the resources.' })
  readonly quorate!: boolean;
  @ApiProperty({ type: 'integer', description: 'How many votes are there now.' }) readonly votes!: number;
  @ApiProperty({ type: 'integer', description: 'How many votes there are when all nodes are there.' }) readonly expectedVotes!: number;
  @ApiPropertyOptional({
    enum: ['stop', 'freeze', 'ignore', 'demote', 'fence'],
    description: 'Without quorum: the no-quorum-policy that is in force.',
  })
  readonly policy?: QuorumPolicy;
}

export class LeaseDto {
  @ApiProperty({ type: 'integer', description: 'For how long each renewal holds, ms.' }) readonly leaseMs!: number;
  @ApiProperty({ format: 'date-time', description: 'When it runs out unless its agent is heard of before.' }) readonly expiresAt!: string;
  @ApiProperty({ format: 'date-time', description: 'When its agent was last heard of.' }) readonly renewedAt!: string;
}

export class NodeModeDto {
  @ApiProperty({ enum: ['standby', 'maintenance', 'fenced', 'confirmed-down'], description: 'The last two of a node that is down.' })
  readonly mode!: 'standby' | 'maintenance' | 'fenced' | 'confirmed-down';
  @ApiProperty({
    description: 'Who set it last, or said that the node is down; who asked for the fencing, or where nobody did, who reported it.',
    example: 'user:alice',
  })
  readonly by!: string;
  @ApiProperty({ format: 'date-time', description: 'When that was.' }) readonly at!: string;
  @ApiPropertyOptional({ description: 'Why, as they said.' }) readonly reason?: string;
}

export class NodeWatchdogDto {
  @ApiProperty({ type: 'integer', description: 'After how long without being fed it resets the machine, ms.' }) readonly timeoutMs!: number;
  @ApiPropertyOptional({
    format: 'date-time',
    description:
      'Since when it is armed, and its agent stops feeding it when it can not renew its lease; absent: it was told of with the join, and may be armed since.',
  })
  readonly armedSince?: string;
  @ApiPropertyOptional({
    type: 'integer',
    description:
      'How long after the loss of its lease the node counts as reset by it, ms; absent: time proves nothing (see `fencing-watchdog-timeout`).',
  })
  readonly countedAfterMs?: number;
}

export class NodeProtectionDto {
  @ApiProperty({
    type: [String],
    description:
      'Ids of the devices that fence it, in the order in which they are tried; its own watchdog is called `watchdog`, or as the primitive that stands for it. Empty: nothing does.',
  })
  readonly devices!: readonly string[];
  @ApiPropertyOptional({ type: NodeWatchdogDto, description: 'The watchdog that its agent feeds, as far as it told of its time-out.' })
  readonly watchdog?: NodeWatchdogDto;
}

export class NodeDto {
  @ApiProperty({ description: 'Its name.' }) readonly name!: string;
  @ApiProperty({ description: 'Id in the configuration, as `node` there has it.' }) readonly id!: string;
  @ApiProperty({
    enum: ['cluster', 'remote', 'guest', 'bundle'],
    description: '`cluster`: an agent runs on it; `remote`, `guest` and `bundle`: a resource makes it a node.',
  })
  readonly kind!: string;
  @ApiProperty({
    enum: ['unknown', 'joined', 'lost', 'left', 'down', 'unheard'],
    description:
      'What is known of its agent: never heard of; holds a lease; the lease ran out; left in good order; fenced or confirmed down; not heard of since the event log went back in time.',
  })
  readonly membership!: string;
  @ApiPropertyOptional({
    type: 'integer',
    description: 'How often an agent has joined as this node; reports of an earlier one count no more. Absent before the first.',
  })
  readonly incarnation?: number;
  @ApiPropertyOptional({ description: 'Version of its agent; absent before one has joined.' }) readonly agentVersion?: string;
  @ApiPropertyOptional({
    type: 'integer',
    description:
      'How many actions its agent carries out at a time, as far as it told. It is given no more, unless `node-action-limit` is set.',
  })
  readonly actionLimit?: number;
  @ApiPropertyOptional({ format: 'date-time', description: 'When the membership became what it is.' }) readonly since?: string;
  @ApiPropertyOptional({ type: LeaseDto, description: 'Until when its agent may be silent; absent where it holds none, and of the past.' })
  readonly lease?: LeaseDto;
  @ApiPropertyOptional({
    type: NodeProtectionDto,
    description: 'What fences it when it is lost; absent where fencing is switched off, and for nodes that resources make.',
  })
  readonly protection?: NodeProtectionDto;
  @ApiProperty({ description: 'Can run resources as far as membership goes.' }) readonly online!: boolean;
  @ApiProperty({ description: 'Must be fenced before its resources may run elsewhere.' }) readonly unclean!: boolean;
  @ApiProperty({ description: 'It keeps no resources: those that it has move away.' }) readonly standby!: boolean;
  @ApiProperty({ description: 'What is on it is left as it is: nothing is started, stopped or monitored there.' })
  readonly maintenance!: boolean;
  @ApiPropertyOptional({
    type: NodeModeDto,
    isArray: true,
    description:
      'Who put it in standby or maintenance, fenced it or confirmed that it is down, and why. At present only, and not for what the cluster was made with, or a rule did.',
  })
  readonly modes?: readonly NodeModeDto[];
  @ApiProperty({ description: 'It has joined, and can not run anything yet.' }) readonly pending!: boolean;
  @ApiProperty({ description: 'Its agent asked to leave.' }) readonly shutdown!: boolean;
  @ApiPropertyOptional({
    enum: NODE_WRONGS,
    isArray: true,
    description: 'What is not as it is with a node of a cluster that is well, the worst first; absent when nothing is.',
  })
  readonly wrong?: readonly NodeWrong[];
}

export class NodeListDto {
  @ApiProperty({ type: NodeDto, isArray: true, description: 'The nodes of the cluster, those that a resource makes included.' })
  readonly items!: readonly NodeDto[];
}

export class FailureDto {
  @ApiProperty({ description: 'Id of the primitive; of an instance of a clone, with its number where it has one.' })
  readonly resource!: string;
  @ApiProperty({ description: 'Name of the node on which it failed.' }) readonly node!: string;
  @ApiProperty({ description: 'The operation that failed, e.g. `start`.' }) readonly operation!: string;
  @ApiProperty({ type: 'integer', description: 'Interval of the recurring operation, ms; 0 for one that does not recur.' })
  readonly intervalMs!: number;
  @ApiProperty({ type: 'integer', description: 'Return code (OCF) that the agent ended with.' }) readonly rc!: number;
  @ApiPropertyOptional({ description: "The agent's own words." }) readonly exitReason?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'When the result last changed; absent where that is not known.' })
  readonly at?: string;
}

export class FailCountDto {
  @ApiProperty({ description: 'Id of the primitive.' }) readonly resource!: string;
  @ApiProperty({ description: 'Name of the node on which it failed.' }) readonly node!: string;
  @ApiProperty({ description: 'The operation that failed, e.g. `monitor`.' }) readonly operation!: string;
  @ApiProperty({ type: 'integer', description: 'Interval of the recurring operation, ms; 0 for one that does not recur.' })
  readonly intervalMs!: number;
  @ApiProperty({ description: 'A number, or INFINITY.', example: '2' }) readonly count!: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'When it failed last; absent where that is not known.' })
  readonly lastFailure?: string;
}

/** A resource that runs, of which its agent says that it is likelier to fail. */
export class DegradedDto {
  @ApiProperty({ description: 'Id of the primitive; of an instance of a clone, with its number where it has one.' })
  readonly resource!: string;
  @ApiProperty({ description: 'Name of the node on which it runs.' }) readonly node!: string;
  @ApiProperty({ description: 'The operation that found that, e.g. `monitor`.' }) readonly operation!: string;
  @ApiProperty({ type: 'integer', description: 'Interval of the recurring operation, ms; 0 for one that does not recur.' })
  readonly intervalMs!: number;
  @ApiProperty({ type: 'integer', description: 'Return code (OCF): 190 of what is active, 191 of what is promoted.' }) readonly rc!: number;
  @ApiPropertyOptional({ description: "The agent's own words." }) readonly exitReason?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'Since when; absent where that is not known.' }) readonly at?: string;
}

/** An agent that was given something, and has not answered it yet. */
export class AwaitedAgentDto {
  @ApiProperty({ description: 'Its node.' }) readonly node!: string;
  @ApiProperty({ type: 'integer', description: 'Actions that it has not answered.' }) readonly count!: number;
  @ApiProperty({ type: 'integer', description: 'Those of them that no poll of the agent was answered with yet.' })
  readonly undelivered!: number;
  @ApiProperty({ type: [String], description: 'The oldest of them, as in histories: `db_start_0`; fencing as `reboot n2`.' })
  readonly actions!: readonly string[];
  @ApiProperty({ type: 'integer', description: 'Since the oldest of them was handed out, seconds.' }) readonly forSeconds!: number;
  @ApiProperty({ description: 'All of that for people, e.g. `n2 (db_start_0 and 3 more, 45 s)`.' }) readonly text!: string;
}

export class RunningTransitionDto {
  @ApiProperty({ type: 'integer', description: 'Counts from 1 in each cluster.' }) readonly number!: number;
  @ApiProperty({ enum: ['running', 'aborting'], description: '`aborting`: nothing new is begun, what is under way is waited for.' })
  readonly status!: string;
  @ApiPropertyOptional({ description: 'Why nothing new is begun any more; absent while it is `running`.' }) readonly abortReason?: string;
  @ApiProperty({
    type: 'integer',
    description:
      'Actions of which a result was reported, also when it was not by the node that the action went to, and therefore ends nothing.',
  })
  readonly ended!: number;
  @ApiProperty({ type: 'integer', description: 'Of those, the ones of which somebody reported that they did not go as expected.' })
  readonly failed!: number;
  @ApiPropertyOptional({
    type: 'integer',
    description: 'Actions that are planned in all, fencing included. Pseudo actions, which do nothing, are none.',
  })
  readonly actions?: number;
  @ApiPropertyOptional({
    type: 'integer',
    description: 'Actions that were handed out to agents, and of which no result was reported yet. Of the present only.',
  })
  readonly inFlight?: number;
  @ApiPropertyOptional({
    type: [AwaitedAgentDto],
    description: 'Whose answers are waited for, those first that are for the longest; twenty at most. Of the present only.',
  })
  readonly waitsFor?: readonly AwaitedAgentDto[];
}

export class PendingFencingDto {
  @ApiProperty({ description: 'Name of the node that is fenced.' }) readonly target!: string;
  @ApiProperty({ enum: ['off', 'reboot', 'on'], description: 'What the device is told.' }) readonly action!: string;
  @ApiProperty({ description: 'Id of the fence device.' }) readonly device!: string;
  @ApiProperty({ description: 'The node that executes it.' }) readonly executor!: string;
  @ApiProperty({ type: 'integer', description: 'Which try to fence the target this is, from 1.' }) readonly attempt!: number;
}

export class SafetyNoteDto {
  @ApiProperty({ example: 'fencing-disabled', description: 'Stable; for programs.' }) readonly code!: string;
  @ApiProperty({ description: 'What is at stake, and what to do.' }) readonly text!: string;
}

export class TroubleDto {
  @ApiProperty({ description: 'Stable; for programs.', example: 'no-quorum' }) readonly code!: string;
  @ApiProperty({ enum: ['bad', 'warn'], description: '`bad`: services are down or in danger; `warn`: somebody should look.' })
  readonly level!: 'bad' | 'warn';
  @ApiProperty({ description: 'For people.', example: 'no quorum: 1 of 3 votes' }) readonly text!: string;
}

export class PlanningFailureDto {
  @ApiProperty({ format: 'date-time', description: 'Of the first try that failed.' }) readonly since!: string;
  @ApiProperty({ type: 'integer', description: 'How often it was tried since.' }) readonly tries!: number;
  @ApiProperty({ description: 'Of the last try, for people.' }) readonly reason!: string;
}

export class StoppingWaitDto {
  @ApiProperty({
    enum: ['resource', 'node'],
    description: 'What is waited for: a resource that is active, or a node of which nobody knows what it runs.',
  })
  readonly kind!: 'resource' | 'node';
  @ApiProperty({ description: 'Its id or name.' }) readonly name!: string;
  @ApiProperty({ description: 'Why it is waited for, and what to do, for people.' }) readonly text!: string;
}

export class StoppingDto {
  @ApiProperty({ format: 'date-time', description: 'When that was asked for.' }) readonly since!: string;
  @ApiPropertyOptional({ description: 'Why, as it was asked for.' }) readonly reason?: string;
  @ApiProperty({ type: String, isArray: true, description: 'Resources that are active still.' }) readonly active!: readonly string[];
  @ApiProperty({ type: String, isArray: true, description: 'Nodes of which nobody knows what they run.' })
  readonly away!: readonly string[];
  @ApiProperty({ type: StoppingWaitDto, isArray: true, description: 'Everything that stands between the cluster and its deletion.' })
  readonly waitsFor!: readonly StoppingWaitDto[];
}

/** How many nodes are in which state, each counted once, in the worst of its states; guests and the nodes of bundles are resources, and not among them. */
export class NodeCountsDto {
  @ApiProperty({ type: 'integer', description: 'All of them.' }) readonly total!: number;
  @ApiProperty({ type: 'integer', description: 'With nothing wrong.' }) readonly online!: number;
  @ApiProperty({ type: 'integer', description: 'Must be fenced, or confirmed to be down, before their resources may run elsewhere.' })
  readonly unclean!: number;
  @ApiProperty({ type: 'integer', description: 'Have joined, and can not run anything yet.' }) readonly pending!: number;
  @ApiProperty({ type: 'integer', description: 'Not in the cluster, and known to run nothing.' }) readonly offline!: number;
  @ApiProperty({ type: 'integer', description: 'In standby: they keep no resources.' }) readonly standby!: number;
  @ApiProperty({ type: 'integer', description: 'In maintenance: what is on them is left as it is.' }) readonly maintenance!: number;
  @ApiProperty({ type: 'integer', description: 'About to leave.' }) readonly shutdown!: number;
}

/** How many primitives, each instance of a clone counted, are in which state: each is `started`, `stopped` or `unknown`, and may be some of the others. */
export class ResourceCountsDto {
  @ApiProperty({ type: 'integer', description: 'All of them.' }) readonly total!: number;
  @ApiProperty({ type: 'integer', description: 'In whatever role.' }) readonly started!: number;
  @ApiProperty({ type: 'integer', description: 'Active nowhere.' }) readonly stopped!: number;
  @ApiProperty({ type: 'integer', description: 'Of which nobody knows whether they run somewhere.' }) readonly unknown!: number;
  @ApiProperty({ type: 'integer', description: 'In the role Promoted.' }) readonly promoted!: number;
  @ApiProperty({ type: 'integer', description: 'Kept from running as they could by their target-role.' }) readonly disabled!: number;
  @ApiProperty({ type: 'integer', description: 'Their last operation failed.' }) readonly failed!: number;
  @ApiProperty({ type: 'integer', description: 'Need something that can not be done.' }) readonly blocked!: number;
  @ApiProperty({ type: 'integer', description: 'Left as they are: neither started nor stopped.' }) readonly unmanaged!: number;
}

export class StatusCountsDto {
  @ApiProperty({ type: NodeCountsDto, description: 'How many nodes are in which state.' }) readonly nodes!: NodeCountsDto;
  @ApiProperty({ type: ResourceCountsDto, description: 'How many primitives are in which state.' }) readonly resources!: ResourceCountsDto;
}

/** What the log does not hold, and nobody knows of the past. */
export const UNKNOWN_OF_THE_PAST = [
  'leases',
  'workers',
  'actions-in-flight',
  'node-modes',
  'planning-failures',
  'waiting-reports',
] as const;

/** When a status of the past is of. */
export class PastDto {
  @ApiProperty({ format: 'date-time', description: 'For which it was computed.' }) readonly at!: string;
  @ApiProperty({
    enum: UNKNOWN_OF_THE_PAST,
    isArray: true,
    description: 'What nobody knows of then, as it is in no event: nothing is said of it, neither that it was well nor that it was not.',
  })
  readonly unknown!: readonly (typeof UNKNOWN_OF_THE_PAST)[number][];
}

/** How a cluster is. */
export class StatusDto {
  @ApiProperty({ format: 'uuid', description: 'Id of the cluster.' }) readonly clusterId!: string;
  @ApiProperty({ description: 'Name of the cluster.' }) readonly name!: string;
  @ApiProperty({ type: 'integer', description: 'Version of the cluster that it is the status of.' }) readonly version!: number;
  @ApiPropertyOptional({ description: EPOCH_MARK }) readonly epoch?: string;
  @ApiProperty({ description: 'Nothing is under way, nothing is to be computed, and there is a worker that would do so.' })
  readonly settled!: boolean;
  @ApiProperty({
    enum: ['good', 'warn', 'bad'],
    description:
      'The worst of `troubles`; `good` when there are none. A cluster that has lost its quorum, or in which operations failed, may be settled, and is not good.',
  })
  readonly health!: 'good' | 'warn' | 'bad';
  @ApiPropertyOptional({ type: PastDto, description: 'Of a status of the past (`at`, `version`); absent of the present.' })
  readonly past?: PastDto;
  @ApiProperty({ type: StatusCountsDto, description: 'Of the whole cluster, whatever was selected.' }) readonly counts!: StatusCountsDto;
  @ApiProperty({ type: TroubleDto, isArray: true, description: 'Everything that is wrong, the worst first; empty when all is well.' })
  readonly troubles!: readonly TroubleDto[];
  @ApiPropertyOptional({ description: 'Why the next computation is due.' }) readonly recompute?: string;
  @ApiPropertyOptional({ description: 'What is waited for before the next computation, or before anything is started.' })
  readonly hold?: string;
  @ApiPropertyOptional({
    type: PlanningFailureDto,
    description: 'The cluster can not be planned or moved at the moment; absent when it can.',
  })
  readonly planningFailed?: PlanningFailureDto;
  @ApiPropertyOptional({ type: StoppingDto, description: 'Everything is being stopped; the cluster is deleted when nothing runs.' })
  readonly stopping?: StoppingDto;
  @ApiPropertyOptional({ type: QuorumDto, description: 'Absent until the first node joined.' }) readonly quorum?: QuorumDto;
  @ApiPropertyOptional({ type: RunningTransitionDto, description: 'The transition in progress.' })
  readonly transition?: RunningTransitionDto;
  @ApiProperty({ type: NodeDto, isArray: true, description: 'The nodes that were selected; all when nothing was.' })
  readonly nodes!: readonly NodeDto[];
  @ApiProperty({
    type: ResourceSummaryDto,
    isArray: true,
    description: 'The resources that were selected, with what is in them; all when nothing was.',
  })
  readonly resources!: readonly ResourceSummaryDto[];
  @ApiProperty({ type: FailureDto, isArray: true, description: 'Operations whose last result is a failure; those of what was selected.' })
  readonly failures!: readonly FailureDto[];
  @ApiProperty({
    type: DegradedDto,
    isArray: true,
    description: 'What runs and is likelier to fail, as its agent says (return codes 190 and 191); of what was selected.',
  })
  readonly degraded!: readonly DegradedDto[];
  @ApiProperty({
    type: FailCountDto,
    isArray: true,
    description: 'Failures that count until they are cleaned up or expire; those of what was selected.',
  })
  readonly failCounts!: readonly FailCountDto[];
  @ApiProperty({ type: PendingFencingDto, isArray: true, description: 'Fencing that is under way.' })
  readonly fencing!: readonly PendingFencingDto[];
  @ApiProperty({ type: TicketDto, isArray: true, description: 'All tickets of the cluster, whatever was selected.' })
  readonly tickets!: readonly TicketDto[];
  @ApiProperty({ type: SafetyNoteDto, isArray: true, description: 'What reduces safety.' }) readonly safety!: readonly SafetyNoteDto[];
  @ApiProperty({ type: SchedulerMessageDto, isArray: true, description: 'What the scheduler has to say about what it plans.' })
  readonly messages!: readonly SchedulerMessageDto[];
  @ApiProperty({
    type: FindingsDto,
    description:
      'What of the configuration does not do what it seems to say: it was forced, or is from before that was checked; and what is accepted and not done.',
  })
  readonly findings!: FindingsDto;
}
