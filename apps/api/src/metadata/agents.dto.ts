import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** A parameter that an agent takes. */
export class AgentParameterDto {
  @ApiProperty({ description: 'Name.', example: 'ip' }) readonly name!: string;
  @ApiProperty({ description: 'Whether it has to be given.' }) readonly required!: boolean;
  @ApiPropertyOptional({ description: 'Two resources must not have the same values for all parameters of one such group.' })
  readonly uniqueGroup?: string;
  @ApiProperty({ description: 'Whether it can be changed in a running resource.' }) readonly reloadable!: boolean;
  @ApiPropertyOptional({ description: 'Whether its value is a secret.' }) readonly private?: boolean;
  @ApiProperty({ description: 'Whether it should not be used any more.' }) readonly deprecated!: boolean;
  @ApiPropertyOptional({ description: 'The older parameter in whose place it came: that may be given instead.' })
  readonly obsoletes?: string;
  @ApiProperty({ description: 'As the agent declares it.', example: 'string' }) readonly type!: string;
  @ApiPropertyOptional({ description: 'What counts where it is not given.' }) readonly default?: string;
  @ApiProperty({ type: [String], description: 'The values to choose from, of the type `select`.' }) readonly options!: readonly string[];
  @ApiPropertyOptional({ description: 'In a few words.' }) readonly shortDescription?: string;
  @ApiPropertyOptional({ description: 'At length.' }) readonly longDescription?: string;
}

/** An action that an agent has. */
export class AgentOperationDto {
  @ApiProperty({ description: 'Name.', example: 'monitor' }) readonly name!: string;
  @ApiPropertyOptional({ type: 'integer', description: 'How long it should be given at least, ms.' }) readonly timeoutMs?: number;
  @ApiPropertyOptional({ type: 'integer', description: 'How often it should be repeated, ms.' }) readonly intervalMs?: number;
  @ApiPropertyOptional({ type: 'integer', description: 'After what time it should begin, ms.' }) readonly startDelayMs?: number;
  @ApiPropertyOptional({ description: 'The role in which it is meant.' }) readonly role?: string;
  @ApiPropertyOptional({ description: 'Level of a monitor.' }) readonly depth?: string;
  @ApiProperty({ description: 'Fence agents: whether `on` is run by itself when a node joins.' }) readonly automatic!: boolean;
  @ApiProperty({ description: 'Fence agents: whether it has to run on the target itself.' }) readonly onTarget!: boolean;
}

/** What an agent says about itself. */
export class AgentMetadataDto {
  @ApiProperty({ description: 'As the agent calls itself.' }) readonly name!: string;
  @ApiPropertyOptional({ description: 'Of the agent.' }) readonly version?: string;
  @ApiPropertyOptional({ description: 'Of the standard that it follows.' }) readonly apiVersion?: string;
  @ApiPropertyOptional({ description: 'In a few words.' }) readonly shortDescription?: string;
  @ApiPropertyOptional({ description: 'At length.' }) readonly longDescription?: string;
  @ApiProperty({ type: [AgentParameterDto], description: 'What it takes.' }) readonly parameters!: readonly AgentParameterDto[];
  @ApiProperty({ type: [AgentOperationDto], description: 'What it does.' }) readonly actions!: readonly AgentOperationDto[];
}

/** An agent as some nodes have it. */
export class AgentVersionDto {
  @ApiProperty({ description: 'Of its program: nodes with the same one have the same agent.' }) readonly digest!: string;
  @ApiProperty({ type: [String], description: 'The nodes that have it so, by name.' }) readonly nodes!: readonly string[];
  @ApiPropertyOptional({ description: 'Why its meta-data could not be read.' }) readonly problem?: string;
}

export class DescribedAgentVersionDto extends AgentVersionDto {
  @ApiPropertyOptional({
    type: AgentMetadataDto,
    description: 'What it says about itself; absent: not told yet, not to be had of this standard, or `problem` says why.',
  })
  readonly metadata?: AgentMetadataDto;
}

/** Which agent it is. */
export class AgentNameDto {
  @ApiProperty({ description: 'Its whole name, as paths have it.', example: 'ocf:heartbeat:IPaddr2' }) readonly name!: string;
  @ApiProperty({ description: 'Standard.', example: 'ocf' }) readonly class!: string;
  @ApiPropertyOptional({ description: 'Provider, of `ocf`.', example: 'heartbeat' }) readonly provider?: string;
  @ApiProperty({ description: "The agent's name.", example: 'IPaddr2' }) readonly type!: string;
}

export class AgentEntryDto extends AgentNameDto {
  @ApiPropertyOptional({ description: 'What it is, in a few words, as the version says that most nodes have.' })
  readonly shortDescription?: string;
  @ApiProperty({ type: [AgentVersionDto], description: 'The one that most nodes have first.' })
  readonly versions!: readonly AgentVersionDto[];
}

export class AgentDto extends AgentNameDto {
  @ApiProperty({ type: [DescribedAgentVersionDto], description: 'The one that most nodes have first.' })
  readonly versions!: readonly DescribedAgentVersionDto[];
}

/** A node that has told which agents it has. */
export class NodeTellingDto {
  @ApiProperty({ description: 'Name of the node.' }) readonly node!: string;
  @ApiProperty({ type: [String], description: 'Standards of which it has named all agents.', example: ['ocf', 'stonith', 'lsb'] })
  readonly classes!: readonly string[];
  @ApiProperty({ description: 'When it told them last.', format: 'date-time' }) readonly toldAt!: string;
}

export class AgentListDto {
  @ApiProperty({ type: [AgentEntryDto], description: 'By name.' }) readonly items!: readonly AgentEntryDto[];
  @ApiProperty({
    type: [NodeTellingDto],
    description: 'The nodes that have told. Of others nothing is known; of standards that none of them names nothing is claimed.',
  })
  readonly tellings!: readonly NodeTellingDto[];
}
