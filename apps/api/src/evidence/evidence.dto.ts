import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChoiceField, TextField, TextListParameter, WholeParameter } from '../http/fields.js';

export class EvidenceHeadsQuery {
  @WholeParameter({ min: 1, max: 100, description: 'Statements on a page; 20 when left out.', optional: true })
  readonly limit?: number;

  @TextField({ description: '`next` of the previous page.', max: 255, optional: true })
  readonly cursor?: string;

  @TextField({
    description:
      'Only statements after this one: its number, or `<number>.<digest>` with the first 16 to 64 digits of its digest (as `previous` of the next one has it). 410 when the log has no such statement, or, where its digest is given, another one of that number.',
    pattern: /^\d{1,15}(?:\.[0-9a-f]{16,64})?$/,
    patternSays: 'must be the number of a statement, and may have its digest after a dot',
    max: 80,
    example: '1200.9f86d081884c7d65',
    optional: true,
  })
  readonly after?: string;

  @ChoiceField({ of: ['asc', 'desc'], description: 'Oldest first (`asc`) or newest first (when left out).', optional: true })
  readonly order?: 'asc' | 'desc';
}

export class EvidenceExportQuery {
  @TextListParameter({
    description: 'Ids or names of clusters; everything when left out. Whoever verifies a part has to say that it is one.',
    max: 50,
    optional: true,
  })
  readonly cluster?: readonly string[];
}

/** The newest event of a stream at a moment. */
export class StreamHeadDto {
  @ApiProperty({ description: "A cluster's id, or `server/audit`." }) readonly streamId!: string;
  @ApiProperty({ type: 'integer', description: 'Its number in the stream, from 1.' }) readonly version!: number;
  @ApiProperty({ description: 'Of that event, hexadecimal.' }) readonly hash!: string;
}

/** What is said of the log at a moment. */
export class HeadsStatementDto {
  @ApiProperty({ enum: [1], description: 'Of the shape.' }) readonly format!: 1;
  @ApiProperty({ format: 'uuid', description: 'Of the installation whose log it is.' }) readonly installation!: string;
  @ApiProperty({ type: 'integer', description: 'From 1, without gaps.' }) readonly number!: number;
  @ApiProperty({ description: 'SHA-256 of the statement before it, as canonical JSON; 64 zeros in the first.' }) readonly previous!: string;
  @ApiProperty({ format: 'date-time', description: 'By the clock of the worker that signed.' }) readonly signedAt!: string;
  @ApiProperty({ type: StreamHeadDto, isArray: true, description: 'Of the streams that have grown since the statement before.' })
  readonly heads!: readonly StreamHeadDto[];
}

/** A statement, and who vouches for it. */
export class SignedHeadsDto {
  @ApiProperty({ type: HeadsStatementDto, description: 'What is signed.' }) readonly statement!: HeadsStatementDto;
  @ApiProperty({ description: 'Ed25519: SPKI in DER, base64.' }) readonly publicKey!: string;
  @ApiProperty({ description: 'Ed25519 over the UTF-8 of the statement as canonical JSON (RFC 8785), base64.' })
  readonly signature!: string;
}

export class SignedHeadsListDto {
  @ApiProperty({ type: SignedHeadsDto, isArray: true, description: 'The statements of this page, in the order that was asked for.' })
  readonly items!: readonly SignedHeadsDto[];
  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last.' }) readonly next?: string;
  @ApiPropertyOptional({ description: 'Why there are none, and what to do; absent when there are.' }) readonly note?: string;
}
