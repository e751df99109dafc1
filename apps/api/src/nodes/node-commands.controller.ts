import { randomUUID } from 'node:crypto';
import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ClusterCommand } from '@systole/cluster';
import type { Request, Response } from 'express';
import { AccessTokens, type OperatorPrincipal } from '@systole/access';
import { Waiting } from '../access/access.guard.js';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import type { Caller } from '../computing/caller.js';
import { ChoiceField, TextField } from '../http/fields.js';
import { DebugOutcome } from '../writes/debug-outcome.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { ClusterWrites } from '../writes/cluster-writes.js';
import { because, ReasonBody } from '../writes/reason-body.js';
import { TryQuery, WriteQuery, WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';

export class ConfirmDownBody {
  @TextField({ description: 'How it is known; kept with the event.', max: 1_000, optional: true })
  readonly reason?: string;
}

export class StandbyBody extends ReasonBody {
  @ChoiceField({
    of: ['forever', 'reboot'],
    description:
      '`forever` (when left out): until somebody takes it back; `reboot`: until the node leaves or is fenced, if nobody takes it back before.',
    optional: true,
  })
  readonly lifetime?: 'forever' | 'reboot';
}

export class FenceBody extends ReasonBody {
  @ChoiceField({
    of: ['reboot', 'off'],
    description:
      'What becomes of the machine; as the option `fencing-action` has it when left out. One that is off has to be switched on by somebody.',
    optional: true,
  })
  readonly action?: 'reboot' | 'off';
}

export class RenameNodeBody extends ReasonBody {
  @TextField({ description: 'The new name.', max: 64 })
  readonly to!: string;
}

/** Commands on a node. */
@ApiTags('nodes')
@Controller('v1/clusters/:cluster/nodes/:node/commands')
export class NodeCommandsController {
  constructor(
    private readonly lookup: ClusterLookup,
    private readonly writes: ClusterWrites,
    private readonly outcome: DebugOutcome,
    private readonly tokens: AccessTokens,
  ) {}

  @Post('standby')
  @Write({
    operationId: 'standbyNode',
    summary: 'Move everything off a node, and keep it off',
    description:
      'As the permanent attribute `standby`: it stays so until somebody takes it back, also after a reboot. With `lifetime` `reboot` as a transient one, for a node that is online.',
    body: { type: StandbyBody, required: false },
  })
  async standby(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: StandbyBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const { lifetime } = body;
    const until = lifetime === undefined ? {} : { lifetime };
    return this.#write(cluster, { type: 'set-standby', node, standby: true, ...until, ...because(body) }, { query, ...asking });
  }

  @Post('unstandby')
  @Write({
    operationId: 'unstandbyNode',
    summary: 'Let a node run resources again',
    description: 'Takes the attribute `standby` back, the permanent one and that until the reboot.',
    body: { type: ReasonBody, required: false },
  })
  async unstandby(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-standby', node, standby: false, ...because(body) }, { query, ...asking });
  }

  @Post('maintenance')
  @Write({
    operationId: 'maintainNode',
    summary: 'Leave everything on a node as it is',
    description: 'As the permanent attribute `maintenance`: nothing is started, stopped, or monitored there.',
    body: { type: ReasonBody, required: false },
  })
  async maintenance(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-maintenance', node, maintenance: true, ...because(body) }, { query, ...asking });
  }

  @Post('unmaintenance')
  @Write({
    operationId: 'unmaintainNode',
    summary: 'Manage what runs on a node again',
    description: 'What runs there is probed and managed again.',
    body: { type: ReasonBody, required: false },
  })
  async unmaintenance(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'set-maintenance', node, maintenance: false, ...because(body) }, { query, ...asking });
  }

  @Post('fence')
  @Write({
    operationId: 'fenceNode',
    summary: 'Fence a node',
    description:
      'The scheduler plans its fencing with the devices of the configuration; no limit holds it. Refused for a node that is known to be off, and where fencing is switched off.',
    body: { type: FenceBody, required: false },
  })
  async fence(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: FenceBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'fence-node', node, ...actionIn(body), ...because(body) }, { query, ...asking });
  }

  @Post('confirm-down')
  @Write({
    operationId: 'confirmNodeDown',
    summary: 'Vouch that a node is down',
    description:
      'Its resources may be started elsewhere at once. If the node still runs them, data can be destroyed: switch it off first. Refused while the node holds a lease, unless an earlier boot of it is what may run on.',
  })
  async confirmDown(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: ConfirmDownBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'confirm-node-down', node, ...because(body) }, { query, ...asking });
  }

  @Post('allow-fencing')
  @Write({
    operationId: 'allowNodeFencing',
    summary: 'Let a node be fenced although many were fenced lately',
    description:
      'Fencing waits when `systole-fencing-limit` nodes were fenced within ten minutes (status says so). This lets it go on for this node, until it joins again, whether it is lost, never joined, or failed while it holds a lease.',
  })
  async allowFencing(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    return this.#write(cluster, { type: 'allow-fencing', node, ...because(body) }, { query, ...asking });
  }

  @Post('power-on')
  @Write({
    operationId: 'powerOnNode',
    summary: 'Switch a node on by a fence device',
    description:
      'One that left, was fenced, or was confirmed down. Only the machine is switched on: its agent joins when it has come up. The answer has what the fence device said (`tried`), or says that it goes on.',
    body: { type: ReasonBody, required: false },
  })
  async powerOn(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: TryQuery,
    @Body() body: ReasonBody,
    @Asking() asking: AskedBy,
    @Waiting() caller: Caller,
  ): Promise<WriteResultDto> {
    const { id: clusterId } = await this.lookup.find(cluster);
    const command = { type: 'power-on-node', debugId: randomUUID(), node, ...because(body) } as const;
    const asked = await this.#write(cluster, command, { query, ...asking });
    return this.outcome.answered(clusterId, asked, query.timeout, caller.gone);
  }

  @Post('rename')
  @Write({
    operationId: 'renameNode',
    summary: 'Give a node that runs nothing another name',
    description:
      'Its attributes and utilization stay, and constraints, fencing levels, rules with `#uname`, `pcmk_host_list` and `pcmk_host_map` name it by the new name, in one event. To the cluster it is a node that was never heard of: it needs an agent token for the new name, and the old one is to be revoked (`warnings` name it). Refused (`node-online`, `still-active`) while it may run anything.',
    body: { type: RenameNodeBody },
  })
  async rename(
    @Param('cluster') cluster: string,
    @Param('node') node: string,
    @Query() query: WriteQuery,
    @Body() body: RenameNodeBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const { warnings = [], ...result } = await this.#write(
      cluster,
      { type: 'rename-node', node, to: body.to, ...because(body) },
      { query, ...asking },
    );
    const { id: clusterId } = await this.lookup.find(cluster);
    // The node is renamed: that its tokens can't be looked up makes that no failure.
    const old = await this.tokens.idsForNode(clusterId, node).catch(() => []);
    return {
      ...result,
      warnings: [...warnings, ...old.map((id) => `the token ${id} is still for ${node}, revoke it: systole token revoke ${id}`)],
    };
  }

  async #write(
    cluster: string,
    command: ClusterCommand,
    context: { readonly query: WriteQuery; readonly operator: OperatorPrincipal; readonly request: Request; readonly response: Response },
  ): Promise<Pick<WriteResultDto, keyof WriteResultDto>> {
    const { id: clusterId } = await this.lookup.find(cluster);
    return this.writes.write({ ...context, clusterId, command, places: { '/node': { parameter: 'node' } } });
  }
}

function actionIn({ action }: FenceBody): { readonly action?: 'reboot' | 'off' } {
  return action === undefined ? {} : { action };
}
