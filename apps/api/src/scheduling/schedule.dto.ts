import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { RESOURCE_WRONGS, type ResourceWrong } from '../status/wrong.js';

export class NodeSummaryDto {
  @ApiProperty() readonly id!: string;
  @ApiProperty() readonly name!: string;
  @ApiProperty({ enum: ['cluster', 'remote', 'guest', 'bundle'] }) readonly kind!: string;
  @ApiProperty() readonly online!: boolean;
  @ApiProperty() readonly unclean!: boolean;
  @ApiProperty() readonly standby!: boolean;
  @ApiProperty() readonly maintenance!: boolean;
  @ApiProperty() readonly pending!: boolean;
  @ApiProperty() readonly shutdown!: boolean;
}

export class ResourceAgentDto {
  @ApiProperty({ example: 'ocf' }) readonly class!: string;
  @ApiPropertyOptional({ example: 'heartbeat' }) readonly provider?: string;
  @ApiProperty({ example: 'IPaddr2' }) readonly type!: string;
}

export class ReplicaPartsDto {
  @ApiProperty() readonly container!: string;
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
export class ResourceSummaryDto {
  @ApiProperty() readonly id!: string;
  @ApiProperty({ enum: ['primitive', 'group', 'clone', 'bundle'] }) readonly kind!: string;
  @ApiPropertyOptional({ type: ResourceAgentDto }) readonly agent?: ResourceAgentDto;
  @ApiProperty() readonly managed!: boolean;
  @ApiProperty() readonly failed!: boolean;
  @ApiProperty() readonly blocked!: boolean;
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
    enum: RESOURCE_WRONGS,
    isArray: true,
    description:
      'In a status: what is wrong with it, the worst first; absent when nothing is. `stopped`: it runs nowhere, nobody is about to start it, and nobody wants that (`disabled`, `waitsFor`, `stop-all-resources`).',
  })
  readonly wrong?: readonly ResourceWrong[];
  @ApiPropertyOptional({ type: ReplicaDto, isArray: true, description: 'Of a bundle.' }) readonly replicas?: readonly ReplicaDto[];
  @ApiProperty({ type: () => ResourceSummaryDto, isArray: true }) readonly children!: readonly ResourceSummaryDto[];
}

export class PlannedActionDto {
  @ApiProperty() readonly resource!: string;
  @ApiProperty({ example: 'start' }) readonly operation!: string;
  @ApiProperty() readonly node!: string;
  @ApiPropertyOptional({ description: 'The first reason that made it necessary.' }) readonly reason?: string;
  @ApiPropertyOptional({
    description: 'In a dry run that has resources probed (operation `probe`): done only when the probes do not find what ran before.',
  })
  readonly afterProbe?: true;
}

export class ScoreDto {
  @ApiProperty() readonly phase!: string;
  @ApiProperty() readonly resource!: string;
  @ApiProperty() readonly node!: string;
  @ApiProperty({ type: 'integer' }) readonly score!: number;
}

export class SchedulerMessageDto {
  @ApiProperty({ enum: ['error', 'warning', 'info'] }) readonly level!: string;
  @ApiProperty() readonly text!: string;
}

/** What the scheduler decides for a CIB. */
export class ScheduleDto {
  @ApiProperty({ type: 'integer', description: 'Effective time, epoch seconds.' }) readonly now!: number;
  @ApiProperty() readonly quorate!: boolean;
  @ApiProperty({ type: NodeSummaryDto, isArray: true }) readonly nodes!: readonly NodeSummaryDto[];
  @ApiProperty({ type: ResourceSummaryDto, isArray: true }) readonly resources!: readonly ResourceSummaryDto[];
  @ApiProperty({ type: PlannedActionDto, isArray: true }) readonly actions!: readonly PlannedActionDto[];
  @ApiPropertyOptional({ type: ScoreDto, isArray: true }) readonly scores?: readonly ScoreDto[];
  @ApiPropertyOptional({ type: Object, additionalProperties: true, description: 'The transition graph.' }) readonly graph?: object;
  @ApiProperty({ type: SchedulerMessageDto, isArray: true }) readonly messages!: readonly SchedulerMessageDto[];
}
