import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AttributeListDto, ClusterOptionListDto } from './metadata.dto.js';
import { ATTRIBUTE_METADATA, clusterOptionMetadata } from './option-metadata.js';

/** What may stand in a configuration, for forms and for whoever looks something up: the same for all clusters of a server. */
@ApiTags('metadata')
@Controller('v1/metadata')
export class MetadataController {
  @Get('cluster-options')
  @ApiOperation({
    operationId: 'listClusterOptions',
    summary: 'List the cluster options',
    description: 'Every option of `crm_config` that means something, with what it takes, its default and what it does.',
  })
  @ApiOkResponse({ type: ClusterOptionListDto })
  clusterOptions(): ClusterOptionListDto {
    return { items: clusterOptionMetadata() };
  }

  @Get('resource-meta-attributes')
  @ApiOperation({
    operationId: 'listResourceMetaAttributes',
    summary: 'List the meta-attributes of resources',
    description: 'Also those of `rsc_defaults`, and those that make a resource a guest node.',
  })
  @ApiOkResponse({ type: AttributeListDto })
  resourceMetaAttributes(): AttributeListDto {
    return { items: ATTRIBUTE_METADATA.resource };
  }

  @Get('operation-attributes')
  @ApiOperation({
    operationId: 'listOperationAttributes',
    summary: 'List the attributes of operations',
    description: 'They may stand in the `op` itself, in its meta-attributes, or in `op_defaults`.',
  })
  @ApiOkResponse({ type: AttributeListDto })
  operationAttributes(): AttributeListDto {
    return { items: ATTRIBUTE_METADATA.operation };
  }

  @Get('node-attributes')
  @ApiOperation({
    operationId: 'listNodeAttributeNames',
    summary: 'List the attributes of nodes that the cluster itself reads',
    description: 'Nodes may have any others besides, for rules and for resource agents.',
  })
  @ApiOkResponse({ type: AttributeListDto })
  nodeAttributes(): AttributeListDto {
    return { items: ATTRIBUTE_METADATA.node };
  }

  @Get('fence-device-parameters')
  @ApiOperation({
    operationId: 'listFenceDeviceParameters',
    summary: 'List the parameters of fence devices that the cluster itself reads',
    description:
      'Instance attributes of primitives of the class `stonith` whose names begin with `pcmk_`. Its agent says what else it takes.',
  })
  @ApiOkResponse({ type: AttributeListDto })
  fenceDeviceParameters(): AttributeListDto {
    return { items: ATTRIBUTE_METADATA.fenceDevice };
  }

  @Get('constraint-attributes')
  @ApiOperation({
    operationId: 'listConstraintAttributes',
    summary: 'List the attributes of constraints',
    description: 'Also those of their sets and rules, and of fencing levels. A name may stand several times, for what it means on each.',
  })
  @ApiOkResponse({ type: AttributeListDto })
  constraintAttributes(): AttributeListDto {
    return { items: ATTRIBUTE_METADATA.constraint };
  }

  @Get('alert-meta-attributes')
  @ApiOperation({
    operationId: 'listAlertMetaAttributes',
    summary: 'List the meta-attributes of alerts',
    description: 'Also those of their recipients.',
  })
  @ApiOkResponse({ type: AttributeListDto })
  alertMetaAttributes(): AttributeListDto {
    return { items: ATTRIBUTE_METADATA.alert };
  }
}
