import { ApiProperty } from '@nestjs/swagger';

/** Of lines of a summary. */
export const STEPS = {
  type: String,
  isArray: true,
  enum: ['done', 'failed', 'open'],
  description:
    'Of one that ended before all was done: what became of each line of `summary`; `open`: nobody reported an end of it. Absent for others, and for very long ones.',
};

export class TransitionOutcomeDto {
  @ApiProperty({ type: 'integer', description: 'Actions that were done, and ended as expected.' }) readonly completed!: number;
  @ApiProperty({ type: 'integer', description: 'Actions that were never begun.' }) readonly skipped!: number;
  @ApiProperty({ type: 'integer', description: 'Actions that were handed out, and did not end as expected, or of which no answer came.' })
  readonly failed!: number;
}
