import { boolean, idReference, integerBetween, like, oneOf, score, text, xmlId } from './attribute-types.js';
import { CONSTRAINT_TYPES } from './constraint-types.js';
import { any, exactlyOne, maybe, sets } from './element-type.js';
import type { ElementType } from './element-type.js';
import { RESOURCE_TYPES } from './resource-types.js';
import { operationMeta, SET_TYPES } from './set-types.js';

const fencingLevel: ElementType = {
  required: {
    id: xmlId,
    index: integerBetween(1, 9),
    devices: like(/^[\w.-]+(?:,[\w.-]+)*$/, 'list of devices: use names separated by commas'),
  },
  optional: { target: text, 'target-pattern': text, 'target-attribute': text, 'target-value': text },
  check: (element) =>
    exactlyOne(element, 'target', 'target-pattern', 'target-attribute') ??
    ((element.attributes['target-attribute'] === undefined) === (element.attributes['target-value'] === undefined)
      ? undefined
      : 'needs target-attribute and target-value together'),
};

const aclTypes: Readonly<Record<string, ElementType>> = {
  acls: { children: { acl_target: any, acl_group: any, acl_role: any } },
  acl_target: { required: { id: text }, optional: { name: text }, children: { role: any } },
  acl_group: { required: { id: xmlId }, optional: { name: text }, children: { role: any } },
  role: { required: { id: idReference } },
  acl_role: { required: { id: xmlId }, optional: { description: text }, children: { acl_permission: any } },
  acl_permission: {
    required: { id: xmlId, kind: oneOf('read', 'write', 'deny') },
    optional: { xpath: text, reference: idReference, 'object-type': text, attribute: text, description: text },
    check: (element) =>
      exactlyOne(element, 'xpath', 'reference', 'object-type') ??
      (element.attributes['attribute'] !== undefined && element.attributes['object-type'] === undefined
        ? 'must not have an attribute without an object-type'
        : undefined),
  },
};

const alertTypes: Readonly<Record<string, ElementType>> = {
  alerts: { children: { alert: any } },
  alert: {
    required: { id: xmlId, path: text },
    optional: { description: text },
    children: { ...sets, select: maybe, recipient: any },
  },
  recipient: { required: { id: xmlId, value: text }, optional: { description: text }, children: sets },
  select: { children: { select_nodes: maybe, select_fencing: maybe, select_resources: maybe, select_attributes: maybe } },
  select_nodes: {},
  select_fencing: {},
  select_resources: {},
  select_attributes: { children: { attribute: any } },
  attribute: { required: { id: xmlId, name: text } },
};

/** Every element of a configuration by name (specification 01 §1.1; constraints 04 §4, §6 and 07 §6, §11; resources 02 §4-8). */
export const ELEMENT_TYPES: Readonly<Record<string, ElementType>> = {
  configuration: {
    children: {
      crm_config: { occurs: '1' },
      nodes: { occurs: '1' },
      resources: { occurs: '1' },
      constraints: { occurs: '1' },
      rsc_defaults: maybe,
      op_defaults: maybe,
      'fencing-topology': maybe,
      tags: maybe,
      acls: maybe,
      alerts: maybe,
    },
  },
  crm_config: { children: { cluster_property_set: any } },
  rsc_defaults: { children: { meta_attributes: any } },
  op_defaults: { children: { meta_attributes: operationMeta } },
  nodes: { children: { node: any } },
  node: {
    required: { id: text, uname: text },
    optional: { type: oneOf('member', 'remote'), description: text, score },
    children: { instance_attributes: any, utilization: any },
  },
  resources: { children: { template: any, primitive: any, group: any, clone: any, bundle: any } },
  ...RESOURCE_TYPES,
  constraints: { children: { rsc_location: any, rsc_colocation: any, rsc_order: any, rsc_ticket: any } },
  ...CONSTRAINT_TYPES,
  ...SET_TYPES,
  'fencing-topology': { children: { 'fencing-level': any } },
  'fencing-level': fencingLevel,
  tags: { children: { tag: any } },
  tag: { required: { id: xmlId }, children: { obj_ref: { occurs: '+' } } },
  obj_ref: { required: { id: text } },
  ...aclTypes,
  ...alertTypes,
};

/** The root: its sections apart, what a document says about itself (specification 01 §1.2). */
export const CIB_TYPE: ElementType = {
  required: {
    'validate-with': text,
    epoch: integerBetween(0, Infinity),
    num_updates: integerBetween(0, Infinity),
    admin_epoch: integerBetween(0, Infinity),
  },
  optional: {
    crm_feature_set: text,
    'have-quorum': boolean,
    'dc-uuid': text,
    'no-quorum-panic': boolean,
    'execution-date': text,
    'cib-last-written': text,
    'update-origin': text,
    'update-client': text,
    'update-user': text,
    'remote-tls-port': integerBetween(0, Infinity),
    'remote-clear-port': integerBetween(0, Infinity),
  },
};
