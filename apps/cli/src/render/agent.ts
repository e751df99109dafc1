import type { components } from '@systole/api-client';
import type { Session } from '../session.js';
import { columns, listing } from './columns.js';

type Agents = components['schemas']['AgentListDto'];
type Agent = components['schemas']['AgentDto'];
type Version = Agent['versions'][number];
type Metadata = NonNullable<Version['metadata']>;
type Paint = Session['paint'];

/** Which agents the nodes have, one line each. */
export function renderAgents({ items, tellings }: Agents, paint: Paint): readonly string[] {
  if (tellings.length === 0) return ['No node has told which agents it has: agents before protocol 1.6 do not.'];
  const nodes = `Told by ${tellings.map(({ node }) => node).join(', ')}.`;
  const rows = items.map(({ name, versions, shortDescription = '' }) => [name, versions.map(whereOf).join('; '), shortDescription]);
  return [
    nodes,
    ...listing(
      ['AGENT', 'NODES', 'WHAT IT IS'].map((title) => paint('bold', title)),
      rows,
      'They have none.',
    ),
  ];
}

/** What an agent says about itself, in each version that nodes have. */
export function renderAgent({ name, versions }: Agent, paint: Paint): readonly string[] {
  return versions.flatMap((version) => {
    const { metadata, problem } = version;
    const head = `${paint('bold', name)}  on ${whereOf(version)}  (${version.digest.slice(0, 12)})`;
    if (metadata !== undefined) return [head, ...renderMetadata(metadata, paint)];
    return [
      head,
      `  ${problem === undefined ? 'It was not described, or has no meta-data.' : paint('red', `Its meta-data could not be read: ${problem}`)}`,
    ];
  });
}

function renderMetadata({ version, shortDescription, longDescription, parameters, actions }: Metadata, paint: Paint): readonly string[] {
  const title = [...(version === undefined ? [] : [`version ${version}`]), ...(shortDescription === undefined ? [] : [shortDescription])];
  return [
    ...(title.length === 0 ? [] : [`  ${title.join(': ')}`]),
    ...(longDescription === undefined ? [] : ['', ...indented(longDescription, 2)]),
    '',
    paint('bold', parameters.length === 0 ? '  No parameters' : '  Parameters'),
    ...parameters.flatMap((parameter) => [
      `    ${paint('bold', parameter.name)}  ${marksOf(parameter).join(', ')}`,
      ...indented(parameter.longDescription ?? parameter.shortDescription ?? '', 6),
    ]),
    '',
    paint('bold', actions.length === 0 ? '  No actions' : '  Actions'),
    ...columns(
      actions.map(({ name, role, timeoutMs, intervalMs }) => [
        role === undefined ? name : `${name} (${role})`,
        timeoutMs === undefined ? '' : `timeout ${String(timeoutMs / 1_000)} s`,
        intervalMs === undefined ? '' : `every ${String(intervalMs / 1_000)} s`,
      ]),
      4,
    ),
  ];
}

function marksOf({
  type,
  required,
  default: fallback,
  options,
  deprecated,
  reloadable,
  private: isPrivate,
  obsoletes,
}: Metadata['parameters'][number]): readonly string[] {
  return [
    options.length === 0 ? type : `${type}: ${options.join(' | ')}`,
    ...(required ? ['required'] : []),
    ...(fallback === undefined ? [] : [`default "${fallback}"`]),
    ...(obsoletes === undefined ? [] : [`instead of ${obsoletes}`]),
    ...(reloadable ? ['can be changed while it runs'] : []),
    ...(isPrivate === true ? ['private'] : []),
    ...(deprecated ? ['deprecated'] : []),
  ];
}

function whereOf({ nodes }: { readonly nodes: readonly string[] }): string {
  return nodes.length > MOST_NAMED
    ? `${nodes.slice(0, MOST_NAMED).join(', ')} and ${String(nodes.length - MOST_NAMED)} more`
    : nodes.join(', ');
}

/** More nodes than a line has room for are counted. */
const MOST_NAMED = 8;

function indented(text: string, spaces: number): readonly string[] {
  return text === '' ? [] : text.split('\n').map((line) => `${' '.repeat(spaces)}${line.trim()}`.trimEnd());
}
