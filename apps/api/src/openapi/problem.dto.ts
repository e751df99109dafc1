import { FINDING_KINDS, type FindingKind } from '@systole/cib';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { PROBLEM_BASE } from '../http/problem.js';
import { PROBLEM_CODES } from '../http/problem-codes.js';

/** A part of a cluster that an issue is about. */
export class IssueSubjectDto {
  @ApiProperty({ description: '`node`, `resource`, or the name of an element of the configuration.', example: 'rsc_location' })
  readonly kind!: string;

  @ApiProperty({
    description:
      'Its id; of a node its name, of an element without an id of its own (`obj_ref`, `resource_ref`) the id of what it stands in.',
    example: 'web-on-n1',
  })
  readonly id!: string;

  @ApiPropertyOptional({
    description: 'The attribute by which it refers to what was asked for; absent: it does not refer, or as a whole.',
    example: 'rsc',
  })
  readonly attribute?: string;

  @ApiPropertyOptional({
    description: 'What it refers to; absent: it would have nothing left in it, or it is of another kind.',
    example: 'web',
  })
  readonly to?: string;
}

/** One thing that is wrong with a request. */
export class ProblemIssueDto {
  @ApiPropertyOptional({ description: 'JSON pointer (RFC 6901) into the body.', example: '/name' })
  readonly pointer?: string;

  @ApiPropertyOptional({ description: 'Name of the query or path parameter.' })
  readonly parameter?: string;

  @ApiPropertyOptional({ description: 'Name of the header.' })
  readonly header?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Line in the submitted XML document, from 1.' })
  readonly line?: number;

  @ApiPropertyOptional({ description: 'Name of the XML element there.', example: 'primitive' })
  readonly element?: string;

  @ApiPropertyOptional({ description: 'Path of the XML element, with ids.', example: "/cib/configuration/resources/primitive[@id='db']" })
  readonly path?: string;

  @ApiPropertyOptional({
    enum: FINDING_KINDS,
    description: 'Of a configuration that is valid and says what is surely not meant: the kind of finding. It can be forced.',
  })
  readonly finding?: FindingKind;

  @ApiPropertyOptional({ description: 'The known name or word that was most likely meant.', example: 'stonith-enabled' })
  readonly suggestion?: string;

  @ApiPropertyOptional({ description: 'It was there before, and is no reason to refuse; absent: it is one.' })
  readonly standing?: true;

  @ApiPropertyOptional({
    type: IssueSubjectDto,
    description: 'What of the cluster it is about, e.g. what refers to that which was to be deleted; absent where it is about the request.',
  })
  readonly about?: IssueSubjectDto;

  @ApiProperty({ description: 'What is wrong, and what to do about it.' })
  readonly detail!: string;
}

/** How one of the things that the server needs is. */
export class ReadinessCheckDto {
  @ApiProperty({ enum: ['up', 'down'], description: 'Whether it is there.' })
  readonly status!: 'up' | 'down';

  @ApiPropertyOptional({ description: 'What is wrong with it, or what goes on without it.' })
  readonly message?: string;
}

/** A budget of what a node may report. */
export class SpentBudgetDto {
  @ApiProperty({ description: 'What was reported.', example: 'results' }) readonly kind!: string;
  @ApiProperty({ enum: ['events', 'bytes', 'reports', 'unheard'], description: 'What of it is too much.' }) readonly of!: string;
  @ApiProperty({ description: 'How much of it there is a minute.', example: 30_000 }) readonly perMinute!: number;
}

/** A refusal (RFC 9457). */
@ApiExtraModels(ReadinessCheckDto)
export class ProblemDto {
  @ApiProperty({
    format: 'uri',
    enum: PROBLEM_CODES.map((code) => `${PROBLEM_BASE}/${code}`),
    enumName: 'ProblemType',
    description: 'Names the kind of problem; stable. Later versions have more: whoever does not know one goes by the status.',
    example: 'https://systole.dev/problems/cluster-not-found',
  })
  readonly type!: string;

  @ApiProperty({ example: 'Not found', description: 'What the status means, for people.' })
  readonly title!: string;

  @ApiProperty({ type: 'integer', example: 404, description: 'The HTTP status of the answer.' })
  readonly status!: number;

  @ApiProperty({ description: 'What is wrong, where, and what to do next.' })
  readonly detail!: string;

  @ApiProperty({ description: "The request's path, with the request's id as fragment." })
  readonly instance!: string;

  @ApiPropertyOptional({ type: ProblemIssueDto, isArray: true, description: 'Of a request that does not fit: the first twenty.' })
  readonly errors?: readonly ProblemIssueDto[];

  @ApiPropertyOptional({ description: 'Whether there are more errors than are named; absent: there are not.' })
  readonly moreErrors?: boolean;

  @ApiPropertyOptional({
    enum: ['none', 'unknown'],
    description: 'Of what could not be stored: `none`, nothing was changed; `unknown`, it may have been done: look before you try again.',
  })
  readonly outcome?: 'none' | 'unknown';

  @ApiPropertyOptional({ description: 'What the trouble with the database is, in a word.', example: 'no-answer' })
  readonly trouble?: string;

  @ApiPropertyOptional({ type: SpentBudgetDto, description: 'Of an agent that reports too much: which budget of its node is spent.' })
  readonly budget?: SpentBudgetDto;

  @ApiPropertyOptional({ description: 'Id of the token that an earlier attempt made.' })
  readonly tokenId?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(ReadinessCheckDto) },
    description: 'Of a server that is not ready: how each of the things that it needs is.',
  })
  readonly checks?: Readonly<Record<string, ReadinessCheckDto>>;

  @ApiPropertyOptional({ type: 'integer', description: "The cluster's version against which the request was judged." })
  readonly currentVersion?: number;
}
