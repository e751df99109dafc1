import {
  acceptedForms,
  ALERT_ATTRIBUTES,
  CLUSTER_OPTIONS,
  CONSTRAINT_ATTRIBUTES,
  FENCE_DEVICE_PARAMETERS,
  isOwnOption,
  NODE_ATTRIBUTES,
  olderNamesOf,
  OPERATION_ATTRIBUTES,
  OTHER_OPERATION_ATTRIBUTES,
  OTHER_RESOURCE_ATTRIBUTES,
  RESOURCE_ATTRIBUTES,
  type AttributeDefinition,
  type AttributeDescription,
  type ClusterOptionDefinition,
  type ClusterOptionKind,
} from '@systole/cib';
import type { AttributeDto, ClusterOptionDto, MetadataEntryDto } from './metadata.dto.js';

type MetadataEntry = Pick<MetadataEntryDto, keyof MetadataEntryDto>;

/** All cluster options, from the table that everything else reads them by. */
export function clusterOptionMetadata(): readonly ClusterOptionDto[] {
  const all: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;
  return all.map((option) => ({
    ...entryOf(option, option.alias === undefined ? [] : [option.alias]),
    own: isOwnOption(option.name),
    scheduling: option.scheduling,
  }));
}

/** Attributes by what they are of. */
export const ATTRIBUTE_METADATA = {
  resource: attributeMetadata([...RESOURCE_ATTRIBUTES, ...OTHER_RESOURCE_ATTRIBUTES]),
  operation: attributeMetadata([...OPERATION_ATTRIBUTES, ...OTHER_OPERATION_ATTRIBUTES]),
  node: attributeMetadata(NODE_ATTRIBUTES),
  fenceDevice: attributeMetadata(FENCE_DEVICE_PARAMETERS),
  constraint: attributeMetadata(CONSTRAINT_ATTRIBUTES),
  alert: attributeMetadata(ALERT_ATTRIBUTES),
} as const;

function attributeMetadata(all: readonly (AttributeDefinition | AttributeDescription)[]): readonly AttributeDto[] {
  return all
    .filter(({ newer }) => newer === undefined)
    .map((attribute) => ({
      ...entryOf(attribute, olderNamesOf(attribute.name, all)),
      ...(attribute.readOn === undefined ? {} : { readOn: attribute.readOn }),
      ...('meanwhile' in attribute ? { unreadable: attribute.meanwhile } : {}),
    }));
}

function entryOf(one: AttributeDescription | ClusterOptionDefinition, olderNames: readonly string[]): MetadataEntry {
  const { name, type, default: fallback, meaning, differs, refused } = one;
  return {
    name,
    ...kindOf(type),
    accepts: acceptedForms(type),
    ...(fallback === undefined ? {} : { default: fallback }),
    meaning,
    ...(differs === undefined ? {} : { differs }),
    ...(refused === undefined ? {} : { refused }),
    olderNames,
  };
}

function kindOf(type: ClusterOptionKind): Pick<MetadataEntryDto, 'kind' | 'allowed'> {
  if (type.kind === 'or-default') return kindOf(type.of);
  return type.kind === 'select' ? { kind: type.kind, allowed: type.allowed } : { kind: type.kind };
}
