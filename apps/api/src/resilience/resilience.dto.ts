import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PlacementDto } from '../explanation/explanation.dto.js';
import { ChoiceField, TextField, TextListField } from '../http/fields.js';

export const LOSSES_BY = ['node', 'pair', 'attribute', 'resource'] as const;
export const LOSS_EFFECTS = ['down', 'demoted', 'reduced', 'moved', 'restarted'] as const;

export class ResilienceBody {
  @ChoiceField({
    of: LOSSES_BY,
    description:
      'What is lost at once: each node (when left out), each two, or all with one value of an attribute. With `resource` nothing is lost, but each resource fails once on each node where it is active, as its monitor would say.',
    optional: true,
  })
  readonly by?: (typeof LOSSES_BY)[number];

  @TextField({ description: 'With `by: attribute`: the name of the node attribute, e.g. `rack`.', max: 255, optional: true })
  readonly attribute?: string;

  @TextListField({
    description:
      'Only these nodes are lost, or, with `by: resource`, only what is active on these fails; all that have joined when left out.',
    max: 1_000,
    optional: true,
  })
  readonly nodes?: readonly string[];

  @TextListField({
    description: 'With `by: resource`: only these primitives fail; all that are active when left out.',
    max: 1_000,
    optional: true,
  })
  readonly resources?: readonly string[];
}

export class ActivePlaceDto {
  @ApiProperty({ description: 'Name of the node.' }) readonly node!: string;
  @ApiProperty({ enum: ['Started', 'Unpromoted', 'Promoted'], description: 'The role that it has there.' }) readonly role!: string;
}

export class AffectedResourceDto {
  @ApiProperty({ description: 'A primitive; all instances of a clone are told of together.' }) readonly resource!: string;
  @ApiProperty({
    enum: LOSS_EFFECTS,
    description:
      'The worst first. `down`: it ran, and runs nowhere any more. `demoted`: nothing of it is promoted any more. `reduced`: fewer instances run. `moved`: as many run, elsewhere. `restarted`: it is where it was, and was stopped meanwhile.',
  })
  readonly effect!: (typeof LOSS_EFFECTS)[number];
  @ApiProperty({ type: [ActivePlaceDto], description: 'Where it was active before.' }) readonly before!: readonly ActivePlaceDto[];
  @ApiProperty({ type: [ActivePlaceDto], description: 'Where it is active when the cluster has come to rest; empty: nowhere.' })
  readonly after!: readonly ActivePlaceDto[];
}

export class FailedResourceDto {
  @ApiProperty({ description: 'A primitive.' }) readonly resource!: string;
  @ApiProperty({ description: 'Name of the node on which it fails.' }) readonly node!: string;
}

export class LossDto {
  @ApiProperty({ type: [String], description: 'The nodes that are lost at once; none with `by: resource`.' })
  readonly nodes!: readonly string[];
  @ApiPropertyOptional({ type: FailedResourceDto, description: 'With `by: resource`: what fails.' }) readonly failed?: FailedResourceDto;
  @ApiPropertyOptional({
    enum: [true],
    description: 'No monitor of what fails runs there: nobody would notice, and nothing becomes of it.',
  })
  readonly unnoticed?: true;
  @ApiProperty({ description: 'Whether those that are left have quorum.' }) readonly quorum!: boolean;
  @ApiProperty({ type: [String], description: 'Those of them, or with `by: resource` any, that are fenced.' })
  readonly fenced!: readonly string[];
  @ApiPropertyOptional({
    type: [String],
    description:
      'Those of them that no fence device covers, where fencing is enabled: what ran there is started nowhere until somebody confirms that they are down. Absent when there are none.',
  })
  readonly unfenceable?: readonly string[];
  @ApiProperty({
    type: [AffectedResourceDto],
    description: 'What becomes of the resources that ran and do not stay as they are, the worst first.',
  })
  readonly affected!: readonly AffectedResourceDto[];
  @ApiProperty({ description: 'Resources that stay as they are.' }) readonly unaffected!: number;
  @ApiProperty({ description: 'Operations that are carried out, without probes and monitors.' }) readonly actions!: number;
  @ApiPropertyOptional({ description: 'How many plans it takes to come to rest; absent when it does not within six.' })
  readonly plans?: number;
  @ApiProperty({
    type: [PlacementDto],
    description: 'Why resources that are down are started nowhere: the first ten of them, with what each node’s score is made of.',
  })
  readonly why!: readonly PlacementDto[];
}

export class ResilienceBegunDto {
  @ApiProperty({ format: 'uuid', description: 'Of the cluster.' }) readonly clusterId!: string;
  @ApiProperty({ description: 'The version of the cluster that it is said of.' }) readonly version!: number;
  @ApiProperty({ description: 'The time that it is said for, epoch seconds.' }) readonly now!: number;
  @ApiProperty({ type: 'integer', description: 'How many losses are tried: so many lines follow, and then the whole.' })
  readonly tries!: number;
}

export class SinglePointOfFailureDto {
  @ApiProperty({ type: [String], description: 'The nodes that are lost at once; none with `by: resource`.' })
  readonly nodes!: readonly string[];
  @ApiPropertyOptional({ type: FailedResourceDto, description: 'With `by: resource`: what fails.' }) readonly failed?: FailedResourceDto;
  @ApiProperty({ type: [String], description: 'What is down, or has nothing promoted, when they are lost, or that fails.' })
  readonly resources!: readonly string[];
}

export class ResilienceDto {
  @ApiProperty({ format: 'uuid', description: 'Id of the cluster that it is said of.' }) readonly clusterId!: string;
  @ApiProperty({ description: 'The version of the cluster that it is said of.' }) readonly version!: number;
  @ApiProperty({ description: 'The time that it is said for, epoch seconds.' }) readonly now!: number;
  @ApiProperty({ type: [LossDto], description: 'What follows from each loss that was tried.' }) readonly losses!: readonly LossDto[];
  @ApiProperty({
    type: [SinglePointOfFailureDto],
    description: 'The losses after which something that ran is down, or nothing of it is promoted any more; empty when there are none.',
  })
  readonly singlePointsOfFailure!: readonly SinglePointOfFailureDto[];
  @ApiProperty({ type: [String], description: 'With `by: attribute`: nodes without a value of it; they are not tried.' })
  readonly without!: readonly string[];
}
