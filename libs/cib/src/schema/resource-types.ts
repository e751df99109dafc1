import type { XmlElement } from '../xml/element.js';
import { boolean, idReference, integer, like, oneOf, role, text, xmlId } from './attribute-types.js';
import { any, childCount, exactlyOne, maybe, sets } from './element-type.js';
import type { ElementType } from './element-type.js';
import { operationMeta } from './set-types.js';

const op: ElementType = {
  required: { id: xmlId, name: text, interval: text },
  optional: {
    description: text,
    timeout: text,
    'start-delay': text,
    'interval-origin': text,
    enabled: boolean,
    'record-pending': boolean,
    role,
    'on-fail': oneOf('ignore', 'block', 'demote', 'stop', 'restart', 'standby', 'fence', 'restart-container'),
  },
  children: { ...sets, meta_attributes: operationMeta },
  check: ({ attributes }) =>
    attributes['start-delay'] !== undefined && attributes['interval-origin'] !== undefined
      ? 'must not have both start-delay and interval-origin'
      : undefined,
};

const agent = {
  class: oneOf('ocf', 'lsb', 'systemd', 'service', 'stonith', 'heartbeat'),
  provider: text,
  type: text,
} as const;

function checkAgent({ attributes }: XmlElement): string | undefined {
  if (attributes['class'] === undefined || attributes['type'] === undefined) return 'needs class and type';
  const provided = attributes['provider'] !== undefined;
  if (attributes['class'] === 'ocf') return provided ? undefined : 'is of class ocf and needs a provider';
  return provided ? `is of class ${attributes['class']} and must have no provider` : undefined;
}

const primitive: ElementType = {
  required: { id: xmlId },
  optional: { ...agent, template: idReference, description: text },
  children: { ...sets, utilization: any, operations: maybe },
  check: (element) => {
    const { template, class: standard, type, provider } = element.attributes;
    if (template === undefined) return checkAgent(element);
    return standard === undefined && type === undefined && provider === undefined
      ? undefined
      : 'takes class, provider and type from its template and must not have its own';
  },
};

const container: ElementType = {
  required: { image: text },
  optional: {
    replicas: integer,
    'replicas-per-host': integer,
    'promoted-max': integer,
    'run-command': text,
    network: text,
    options: text,
  },
};

const bundleTypes: Readonly<Record<string, ElementType>> = {
  docker: container,
  podman: container,
  network: {
    optional: {
      'ip-range-start': text,
      'control-port': integer,
      'host-interface': text,
      'host-netmask': integer,
      'add-host': boolean,
    },
    children: { 'port-mapping': any },
  },
  'port-mapping': {
    required: { id: xmlId },
    optional: { port: integer, 'internal-port': integer, range: like(/^[0-9-]+$/, 'range: use e.g. 3000-3010') },
    check: (element) =>
      exactlyOne(element, 'port', 'range') ??
      (element.attributes['internal-port'] !== undefined && element.attributes['port'] === undefined
        ? 'needs a port for its internal-port'
        : undefined),
  },
  storage: { children: { 'storage-mapping': any } },
  'storage-mapping': {
    required: { id: xmlId, 'target-dir': text },
    optional: { 'source-dir': text, 'source-dir-root': text, options: text },
    check: (element) => exactlyOne(element, 'source-dir', 'source-dir-root'),
  },
};

/** Resources, their operations, and what a bundle is made of (specification 02 §4-8). */
export const RESOURCE_TYPES: Readonly<Record<string, ElementType>> = {
  ...bundleTypes,
  template: {
    required: { id: xmlId },
    optional: { ...agent, description: text },
    children: { ...sets, utilization: any, operations: maybe },
    check: checkAgent,
  },
  primitive,
  operations: { optional: { id: xmlId, 'id-ref': idReference }, children: { op: any } },
  op,
  group: { required: { id: xmlId }, optional: { description: text }, children: { ...sets, primitive: { occurs: '+' } } },
  clone: {
    required: { id: xmlId },
    optional: { description: text },
    children: { ...sets, primitive: maybe, group: maybe },
    check: (element) => (childCount(element, 'primitive', 'group') === 1 ? undefined : 'needs exactly one primitive or group'),
  },
  bundle: {
    required: { id: xmlId },
    optional: { description: text },
    children: { ...sets, docker: maybe, podman: maybe, network: maybe, storage: maybe, primitive: maybe },
    check: (element) => (childCount(element, 'docker', 'podman') === 1 ? undefined : 'needs exactly one of docker and podman'),
  },
};
