/** What the table shows of one node. */
export interface NodeView {
  readonly name: string;
  readonly online: boolean;
  readonly unclean: boolean;
  readonly standby: boolean;
}

/** What the table shows of one primitive; group members carry the group's id. */
export interface ResourceView {
  readonly id: string;
  readonly group?: string;
  readonly role: string;
  readonly failed: boolean;
  readonly managed: boolean;
  readonly activeOn: readonly string[];
  /** Fail counts by node name; nodes without failures are left out. */
  readonly failCounts: Readonly<Record<string, string>>;
}

export interface ClusterView {
  readonly cluster: string;
  readonly version: number;
  readonly quorate: boolean;
  /** Nothing is under way, and nothing is to be planned; well or not. */
  readonly settled: boolean;
  /** What is going on, as every client says it: `settled`, or the transition that runs. */
  readonly activity: string;
  readonly nodes: readonly NodeView[];
  readonly resources: readonly ResourceView[];
}

const RESET = '\u001b[0m';
const paint = {
  bold: '\u001b[1m',
  dim: '\u001b[2m',
  green: '\u001b[32m',
  yellow: '\u001b[33m',
  red: '\u001b[31m',
} as const;
type Paint = keyof typeof paint;

interface Cell {
  readonly text: string;
  readonly paint?: Paint;
}

const draw = (cell: Cell, width: number): string => {
  const padded = cell.text.padEnd(width);
  return cell.paint === undefined ? padded : `${paint[cell.paint]}${padded}${RESET}`;
};

function nodeState(node: NodeView): Cell {
  if (node.unclean) return { text: 'UNCLEAN', paint: 'red' };
  if (!node.online) return { text: 'offline', paint: 'dim' };
  if (node.standby) return { text: 'standby', paint: 'yellow' };
  return { text: 'online', paint: 'green' };
}

function placement(resource: ResourceView, node: NodeView): Cell {
  const failures = resource.failCounts[node.name];
  const suffix = failures === undefined ? '' : ` (failed: ${failures})`;
  if (!resource.activeOn.includes(node.name)) return { text: failures === undefined ? '·' : suffix.trim(), paint: 'dim' };
  if (resource.failed) return { text: `✖ ${resource.role}${suffix}`, paint: 'red' };
  return { text: `● ${resource.role}${suffix}`, paint: suffix === '' ? 'green' : 'yellow' };
}

/**
 * The cluster as a table: a column for each node, a row for each primitive.
 *
 * @returns lines with ANSI colours, without trailing newlines
 */
export function renderTable(view: ClusterView): string[] {
  const first = [
    '',
    'node state',
    ...view.resources.map((resource) => (resource.group === undefined ? resource.id : `${resource.group} › ${resource.id}`)),
  ];
  const columns: Cell[][] = [
    first.map((text): Cell => ({ text })),
    ...view.nodes.map((node): Cell[] => [
      { text: node.name, paint: 'bold' },
      nodeState(node),
      ...view.resources.map((resource) => placement(resource, node)),
    ]),
  ];
  const widths = columns.map((column) => Math.max(...column.map((cell) => cell.text.length)) + 3);
  const rows = first.map((_, row) => columns.map((column, index) => draw(column[row] ?? { text: '' }, widths[index] ?? 0)).join(''));
  const quorum = view.quorate ? 'has quorum' : `${paint.red}no quorum${RESET}`;
  const title = `${paint.bold}${view.cluster}${RESET}  version ${view.version}, ${quorum}, ${view.activity}`;
  return [title, '', ...rows];
}
