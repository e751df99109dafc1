type Attributes = Readonly<Record<string, string>>;

/** How ids are made of the owner's id and the element's own attributes, as pcs does. */
const MADE: Readonly<Record<string, (owner: string, attributes: Attributes) => string>> = {
  cluster_property_set: () => 'cib-bootstrap-options',
  meta_attributes: (owner) => `${owner}-meta_attributes`,
  instance_attributes: (owner) => `${owner}-instance_attributes`,
  utilization: (owner) => `${owner}-utilization`,
  nvpair: (owner, { name = '' }) => `${owner}-${name}`,
  op: (owner, { name = '', interval = '0s' }) => `${owner}-${name}-interval-${interval}`,
  rule: (owner) => `${owner}-rule`,
  expression: (owner) => `${owner}-expr`,
  date_expression: (owner) => `${owner}-expr`,
  rsc_expression: (owner) => `${owner}-rsc`,
  op_expression: (owner) => `${owner}-op`,
  date_spec: (owner) => `${owner}-datespec`,
  duration: (owner) => `${owner}-duration`,
  resource_set: (owner) => `${owner}_set`,
  'port-mapping': (owner, { port, range = '' }) => `${owner}-port-map-${port ?? range}`,
  'storage-mapping': (owner) => `${owner}-storage-map`,
  recipient: (owner) => `${owner}-recipient`,
  attribute: (owner, { name = '' }) => `${owner}-attribute-${name}`,
  acl_permission: (owner, { kind = '' }) => `${owner}-${kind}`,
  rsc_location: (_, { rsc, 'rsc-pattern': pattern = '', node = '', score = '' }) => joined('location', rsc ?? pattern, node, score),
  rsc_colocation: (_, { rsc = '', 'with-rsc': other = '', score = '' }) => joined('colocation', rsc, other, score),
  rsc_order: (_, { first = '', then = '', kind = '' }) => joined('order', first, then, kind),
  rsc_ticket: (_, { ticket = '', rsc = '', 'rsc-role': role = '' }) => joined('ticket', ticket, rsc, role),
  'fencing-level': (_, { target, 'target-pattern': pattern, 'target-value': value = '', index = '' }) =>
    joined('fl', target ?? pattern ?? value, index),
  alert: () => 'alert',
};

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('-');
}

/** Whether an element of that name gets an id when it is written without one. */
export function hasMadeId(name: string): boolean {
  return Object.hasOwn(MADE, name);
}

/** Gives ids to elements that are written without one; each id once. */
export class MadeIds {
  private readonly given = new Set<string>();

  /** @param isTaken whether an id is in use where the elements will be */
  constructor(private readonly isTaken: (id: string) => boolean) {}

  /** @param owner id of the nearest element around it that has one */
  make(name: string, owner: string, attributes: Attributes): string {
    const wished = (MADE[name]?.(owner, attributes) ?? `${owner}-${name}`).replace(/[^A-Za-z0-9_.-]/g, '.').replace(/^[^A-Za-z_]/, '_');
    let id = wished;
    for (let number = 1; this.given.has(id) || this.isTaken(id); number += 1) id = `${wished}-${String(number)}`;
    this.given.add(id);
    return id;
  }

  /** Keeps an id from being made. */
  take(id: string): void {
    this.given.add(id);
  }
}
