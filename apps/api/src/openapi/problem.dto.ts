import { FINDING_KINDS, type FindingKind } from '@systole/cib';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

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

  @ApiProperty({ description: 'What is wrong, and what to do about it.' })
  readonly detail!: string;
}

/** A refusal (RFC 9457). */
export class ProblemDto {
  @ApiProperty({
    format: 'uri',
    description: 'Names the kind of problem; stable.',
    example: 'https://systole.dev/problems/cluster-not-found',
  })
  readonly type!: string;

  @ApiProperty({ example: 'Not found' })
  readonly title!: string;

  @ApiProperty({ type: 'integer', example: 404 })
  readonly status!: number;

  @ApiProperty({ description: 'What is wrong, where, and what to do next.' })
  readonly detail!: string;

  @ApiProperty({ description: "The request's path, with the request's id as fragment." })
  readonly instance!: string;

  @ApiPropertyOptional({ type: ProblemIssueDto, isArray: true, description: 'Of a request that does not fit: the first twenty.' })
  readonly errors?: readonly ProblemIssueDto[];

  @ApiPropertyOptional({ description: 'Whether there are more errors than are named; absent: there are not.' })
  readonly moreErrors?: boolean;

  @ApiPropertyOptional({ type: 'integer', description: "The cluster's version against which the request was judged." })
  readonly currentVersion?: number;
}
