import { unwrap, type components, type SystoleClient } from '@systole/api-client';

type WriteResult = components['schemas']['WriteResultDto'];

/** What an operator can have done from the page. */
export type OperatorCommand =
  | { readonly kind: 'standby' | 'unstandby'; readonly node: string }
  /** On every node when none is named. */
  | { readonly kind: 'cleanup'; readonly resource: string; readonly node?: string };

export function titleOf(command: OperatorCommand): string {
  switch (command.kind) {
    case 'standby':
      return `Put ${command.node} on standby`;
    case 'unstandby':
      return `Take ${command.node} off standby`;
    case 'cleanup':
      return `Clean up ${command.resource}${command.node === undefined ? '' : ` on ${command.node}`}`;
  }
}

export function explanationOf(command: OperatorCommand): string {
  switch (command.kind) {
    case 'standby':
      return 'Moves everything off the node, and keeps it off.';
    case 'unstandby':
      return 'Lets the node run resources again.';
    case 'cleanup':
      return 'Forgets the failures, and the history where it failed, so that the resource is probed again there.';
  }
}

/** @param dryRun only asks what would follow @throws {ProblemError} when the server refuses */
export async function submit(client: SystoleClient, cluster: string, command: OperatorCommand, dryRun: boolean): Promise<WriteResult> {
  const query = dryRun ? { dryRun } : {};
  switch (command.kind) {
    case 'standby': {
      const params = { path: { cluster, node: command.node }, query };
      return unwrap(await client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/standby', { params }));
    }
    case 'unstandby': {
      const params = { path: { cluster, node: command.node }, query };
      return unwrap(await client.POST('/v1/clusters/{cluster}/nodes/{node}/commands/unstandby', { params }));
    }
    case 'cleanup': {
      const params = { path: { cluster, resource: command.resource }, query };
      const body = command.node === undefined ? {} : { node: command.node };
      return unwrap(await client.POST('/v1/clusters/{cluster}/resources/{resource}/commands/cleanup', { params, body }));
    }
  }
}
