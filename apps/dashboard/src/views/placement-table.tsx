import type { components } from '@systole/api-client';
import type { VNode } from 'preact';
import type { OperatorCommand } from '../model/command.js';
import { nodeState } from '../model/node-state.js';
import { linkTo } from '../model/route.js';
import { placementRows, type PlacementCell, type PlacementRow } from '../model/placement-table.js';
import { Badge } from './badge.js';

type Status = components['schemas']['StatusDto'];
type Node = components['schemas']['NodeDto'];

interface PlacementTableProps {
  readonly cluster: string;
  readonly status: Status;
  readonly onCommand: (command: OperatorCommand) => void;
}

/** What runs where: a column for each node, a row for each resource. */
export function PlacementTable({ cluster, status, onCommand }: PlacementTableProps): VNode {
  const rows = placementRows(status);
  const { nodes } = status;
  return (
    <section class="card flush" aria-labelledby="placement-title">
      <h2 id="placement-title">Resources and nodes</h2>
      <div class="scroll" role="region" aria-labelledby="placement-title" tabIndex={0}>
        <table class="placement">
          <thead>
            <tr>
              <th scope="col">
                <span class="visually-hidden">Resource</span>
              </th>
              {nodes.map((node) => (
                <NodeHead key={node.name} node={node} onCommand={onCommand} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.key} cluster={cluster} row={row} columns={nodes.length} onCommand={onCommand} />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length === 0 && <p class="quiet pad">No resource is configured.</p>}
      {nodes.length === 0 && <p class="quiet pad">No node is known: make a token for one, and start its agent.</p>}
    </section>
  );
}

function NodeHead({ node, onCommand }: { readonly node: Node; readonly onCommand: PlacementTableProps['onCommand'] }): VNode {
  const { mood, text } = nodeState(node);
  const kind = node.standby ? 'unstandby' : 'standby';
  return (
    <th scope="col">
      <span class="node">
        <strong>{node.name}</strong> <Badge mood={mood}>{text}</Badge>
      </span>
      {(node.modes ?? []).map(({ mode, by, reason }) => (
        <span key={mode} class="quiet">
          {mode.replace('-', ' ')} by {by}
          {reason === undefined ? '' : `: ${reason}`}
        </span>
      ))}
      {node.kind === 'cluster' && (
        <button
          type="button"
          class="small"
          onClick={() => {
            onCommand({ kind, node: node.name });
          }}
        >
          {node.standby ? 'Unstandby' : 'Standby'}
          <span class="visually-hidden"> {node.name}</span>
        </button>
      )}
    </th>
  );
}

interface RowProps {
  readonly cluster: string;
  readonly row: PlacementRow;
  readonly columns: number;
  readonly onCommand: PlacementTableProps['onCommand'];
}

function Row({ cluster, row, columns, onCommand }: RowProps): VNode {
  const { id, depth, kind, agent, notes, cells } = row;
  return (
    <tr class={kind === 'primitive' ? '' : 'collective'}>
      <th scope="row" class={`depth-${Math.min(depth, 3)}`}>
        <span class="resource">{id}</span>{' '}
        {notes.map((note) => (
          <Badge mood="warn">{note}</Badge>
        ))}
        <span class={agent === undefined ? 'quiet' : 'quiet agent'}>{agent ?? kind}</span>{' '}
        <a class="why-here" href={linkTo({ page: 'resource', cluster, resource: id })}>
          Why here?<span class="visually-hidden"> {id}</span>
        </a>
        {kind === 'primitive' && (
          <button
            type="button"
            class="small reveal"
            onClick={() => {
              onCommand({ kind: 'cleanup', resource: id });
            }}
          >
            Cleanup<span class="visually-hidden"> {id}</span>
          </button>
        )}
      </th>
      {kind === 'primitive' ? cells.map((cell) => <Cell key={cell.node} cell={cell} />) : columns > 0 && <td colSpan={columns} />}
    </tr>
  );
}

function Cell({ cell }: { readonly cell: PlacementCell }): VNode {
  const { role, failed, uncertain, planned, unknown, failCount } = cell;
  return (
    <td>
      {role !== undefined && (
        <span class={`role ${moodOf(cell)}`}>
          <span aria-hidden="true">{failed ? '✖' : uncertain ? '?' : '●'}</span> {role}
          {failed && <span class="visually-hidden"> failed</span>}
          {uncertain && <span class="visually-hidden"> when the node was last heard of</span>}
        </span>
      )}{' '}
      {unknown === true && (
        <span class="role warn">
          <span aria-hidden="true">?</span> not known yet
        </span>
      )}{' '}
      {planned !== undefined && <span class="planned">→ {planned}</span>}{' '}
      {failCount !== undefined && <Badge mood="warn">fail count {failCount}</Badge>}
      {role === undefined && planned === undefined && unknown === undefined && failCount === undefined && (
        <>
          <span class="quiet" aria-hidden="true">
            ·
          </span>
          <span class="visually-hidden">not active</span>
        </>
      )}
    </td>
  );
}

function moodOf({ role, failed, uncertain }: PlacementCell): 'good' | 'warn' | 'bad' | 'off' {
  if (failed) return 'bad';
  if (uncertain) return 'warn';
  return role === 'Stopped' || role === 'Unknown' ? 'off' : 'good';
}
