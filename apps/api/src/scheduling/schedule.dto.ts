import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { RESOURCE_WRONGS, type ResourceWrong } from './resource-wrongs.js';

export class NodeSummaryDto {
  @ApiProperty({ description: 'Id in the configuration.' }) readonly id!: string;
  @ApiProperty({ description: 'Its name.' }) readonly name!: string;
  @ApiProperty({
    enum: ['cluster', 'remote', 'guest', 'bundle'],
    description: '`cluster`: an agent runs on it; `remote`, `guest` and `bundle`: a resource makes it a node.',
  })
  readonly kind!: string;
  @ApiProperty({ description: 'Can run resources as far as membership goes.' }) readonly online!: boolean;
  @ApiProperty({ description: 'Must be fenced before its resources may run elsewhere.' }) readonly unclean!: boolean;
  @ApiProperty({ description: 'It keeps no resources: those that it has move away.' }) readonly standby!: boolean;
  @ApiProperty({ description: 'What is on it is left as it is: nothing is started, stopped or monitored there.' })
  readonly maintenance!: boolean;
  @ApiProperty({ description: 'It has joined, and can not run anything yet.' }) readonly pending!: boolean;
  @ApiProperty({ description: 'Its agent asked to leave.' }) readonly shutdown!: boolean;
}

export class ResourceAgentDto {
  @ApiProperty({ example: 'ocf', description: 'The standard that it follows.' }) readonly class!: string;
  @ApiPropertyOptional({ example: 'heartbeat', description: 'Of `ocf`: whose agent it is; absent of other classes.' })
  readonly provider?: string;
  @ApiProperty({ example: 'IPaddr2', description: 'Name of the agent.' }) readonly type!: string;
}

export class ReplicaPartsDto {
  @ApiProperty({ description: 'The container itself.' }) readonly container!: string;
  @ApiPropertyOptional({ description: 'The address, where the bundle has its own.' }) readonly ip?: string;
  @ApiPropertyOptional({ description: 'The connection to the executor in the container.' }) readonly connection?: string;
  @ApiPropertyOptional({ description: 'What runs in the container.' }) readonly resource?: string;
}

/** One replica of a bundle. */
export class ReplicaDto {
  @ApiProperty({ type: 'integer', description: 'From 0.' }) readonly number!: number;
  @ApiProperty({
    enum: ['Stopped', 'Started', 'Unpromoted', 'Promoted', 'Unknown'],
    description: 'Of what runs in the container; of the container itself where it runs alone.',
  })
  readonly role!: string;
  @ApiProperty({ type: String, isArray: true, description: 'Nodes on which its container is active now.' })
  readonly activeOn!: readonly string[];
  @ApiProperty({ description: 'Something in it has failed.' }) readonly failed!: boolean;
  @ApiPropertyOptional({ description: 'Its own address.', example: '192.0.2.10' }) readonly ipAddress?: string;
  @ApiProperty({ type: ReplicaPartsDto, description: 'Ids of the resources that it consists of, which stand in `children`.' })
  readonly parts!: ReplicaPartsDto;
}

/** A resource with its state now and after the transition. */
/** An operation that an agent was given, and has not answered yet. */
export class PendingOperationDto {
  @ApiProperty({
    enum: ['Starting', 'Stopping', 'Migrating', 'Promoting', 'Demoting', 'Monitoring'],
    description: 'What it does to the resource, in the words of `crm_mon`.',
  })
  readonly state!: 'Starting' | 'Stopping' | 'Migrating' | 'Promoting' | 'Demoting' | 'Monitoring';
  @ApiProperty({ description: 'The operation.', example: 'start' }) readonly operation!: string;
  @ApiProperty({ description: 'Name of the node.' }) readonly node!: string;
}

export class ResourceSummaryDto {
  @ApiProperty({ description: 'Its id; an instance of a clone has its number after it where the clone tells them apart.' })
  readonly id!: string;
  @ApiProperty({ enum: ['primitive', 'group', 'clone', 'bundle'], description: 'What it is: one service, or what it is made of.' })
  readonly kind!: string;
  @ApiPropertyOptional({ type: ResourceAgentDto, description: 'Of a primitive: the agent that runs it.' })
  readonly agent?: ResourceAgentDto;
  @ApiProperty({ description: 'Whether it is started and stopped; what is not managed is left as it is.' }) readonly managed!: boolean;
  @ApiProperty({ description: 'Its last operation failed.' }) readonly failed!: boolean;
  @ApiProperty({ description: 'It needs something that can not be done, e.g. a stop that failed, without fencing.' })
  readonly blocked!: boolean;
  @ApiProperty({ description: 'Known only from its history.' }) readonly removed!: boolean;
  @ApiPropertyOptional({ enum: [true], description: 'Its `target-role` keeps it from running as it could. Absent when it does not.' })
  readonly disabled?: true;
  @ApiProperty({
    enum: ['Stopped', 'Started', 'Unpromoted', 'Promoted', 'Unknown'],
    description: '`Unknown` (in a status): it is active nowhere as far as is known, but `unknownOn` is not empty.',
  })
  readonly role!: string;
  @ApiProperty({
    enum: ['Stopped', 'Started', 'Unpromoted', 'Promoted', 'Unknown'],
    description: 'After the actions that can be carried out; what the scheduler can not bring about (without quorum, …) is not announced.',
  })
  readonly nextRole!: string;
  @ApiProperty({ type: String, isArray: true, description: 'Nodes on which it is active now.' }) readonly activeOn!: readonly string[];
  @ApiPropertyOptional({ description: 'Node where it will be then.' }) readonly assignedTo?: string;
  @ApiPropertyOptional({
    type: String,
    isArray: true,
    description:
      'Nodes of which nobody knows whether it runs there, in a status: it is still to be probed there, or the node could not be asked. Absent when there are none.',
  })
  readonly unknownOn?: readonly string[];
  @ApiPropertyOptional({
    description:
      'In a status: why the start or promotion that `nextRole` and `assignedTo` announce waits, for people. Absent when nothing holds it.',
    example: 'it may still run on n1',
  })
  readonly held?: string;
  @ApiPropertyOptional({
    description:
      'In a status: what it waits for that somebody wants so, for people: a ticket that is not granted or in standby, or a disabled resource that it needs. It runs nowhere, and that is well. Absent when it waits for nothing.',
    example: 'ticket site-a',
  })
  readonly waitsFor?: string;
  @ApiPropertyOptional({
    type: PendingOperationDto,
    isArray: true,
    description: 'In a status of the present: what is being done to it. Absent when nothing is, or nothing is known of that.',
  })
  readonly pending?: readonly PendingOperationDto[];
  @ApiPropertyOptional({
    enum: RESOURCE_WRONGS,
    isArray: true,
    description:
      'In a status: what is wrong with it, the worst first; absent when nothing is. `stopped`: it runs nowhere, nobody is about to start it, and nobody wants that (`disabled`, `waitsFor`, `stop-all-resources`).',
  })
  readonly wrong?: readonly ResourceWrong[];
  @ApiPropertyOptional({ type: ReplicaDto, isArray: true, description: 'Of a bundle.' }) readonly replicas?: readonly ReplicaDto[];
  @ApiProperty({
    type: () => ResourceSummaryDto,
    isArray: true,
    description: 'What it consists of: members of a group, instances of a clone, the parts of a bundle; empty for a primitive.',
  })
  readonly children!: readonly ResourceSummaryDto[];
}

export class PlannedActionDto {
  @ApiProperty({ description: 'Id of the resource that it is of; absent of what is done to a node.' }) readonly resource!: string;
  @ApiProperty({ example: 'start', description: 'What is done, as in a graph.' }) readonly operation!: string;
  @ApiProperty({ description: 'Name of the node on which it is done; of fencing, the node that is fenced.' }) readonly node!: string;
  @ApiPropertyOptional({ description: 'The first reason that made it necessary.' }) readonly reason?: string;
  @ApiPropertyOptional({
    description: 'In a dry run that has resources probed (operation `probe`): done only when the probes do not find what ran before.',
  })
  readonly afterProbe?: true;
}

export class ScoreDto {
  @ApiProperty({ description: 'In which step of its work the scheduler computed it; one resource may have a score on a node in several.' })
  readonly phase!: string;
  @ApiProperty({ description: 'Id of the resource.' }) readonly resource!: string;
  @ApiProperty({ description: 'Name of the node.' }) readonly node!: string;
  @ApiProperty({ type: 'integer', description: '±1,000,000 is ±INFINITY; the highest is preferred.' }) readonly score!: number;
}

export class SchedulerMessageDto {
  @ApiProperty({ enum: ['error', 'warning', 'info'], description: 'How much it matters.' }) readonly level!: string;
  @ApiProperty({ description: 'The message, for people.' }) readonly text!: string;
}

/** What the scheduler decides for a CIB. */
export class PlannedProbeDto {
  @ApiProperty({ description: 'Resource; of an instance of an anonymous clone, of what is cloned.' }) readonly resource!: string;
  @ApiProperty({ description: 'Node that is asked whether it runs there.' }) readonly node!: string;
}

export class ScheduleDto {
  @ApiProperty({ type: 'integer', description: 'Effective time, epoch seconds.' }) readonly now!: number;
  @ApiProperty({ description: 'Whether it was planned with quorum.' }) readonly quorate!: boolean;
  @ApiProperty({ type: NodeSummaryDto, isArray: true, description: 'The nodes as they are now.' })
  readonly nodes!: readonly NodeSummaryDto[];
  @ApiProperty({ type: ResourceSummaryDto, isArray: true, description: 'The resources, as they are now and as they will be.' })
  readonly resources!: readonly ResourceSummaryDto[];
  @ApiProperty({ type: PlannedActionDto, isArray: true, description: 'What is to be done; the graph says what waits for what.' })
  readonly actions!: readonly PlannedActionDto[];
  @ApiProperty({
    type: PlannedProbeDto,
    isArray: true,
    description:
      'Where it is asked first whether a resource runs. They change nothing, so they are not among the actions; what they find may.',
  })
  readonly probes!: readonly PlannedProbeDto[];
  @ApiPropertyOptional({
    type: ScoreDto,
    isArray: true,
    description: 'Scores of resources on nodes, where they were asked for; absent otherwise.',
  })
  readonly scores?: readonly ScoreDto[];
  @ApiPropertyOptional({ type: Object, additionalProperties: true, description: 'The transition graph.' }) readonly graph?: object;
  @ApiProperty({ type: SchedulerMessageDto, isArray: true, description: 'What the scheduler has to say about it.' })
  readonly messages!: readonly SchedulerMessageDto[];
}
