import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { renderAgent, renderAgents } from '../render/agent.js';
import { inSession, type Surroundings } from '../session.js';

export function addAgentsCommands(program: Command, surroundings: Surroundings): void {
  const agents = program.command('agents').description('resource and fence agents that the nodes have');

  agents
    .command('list')
    .description('list the agents, and which nodes have them')
    .action(
      inSession(surroundings, async (session) => {
        const params = { path: { cluster: await session.cluster() } };
        const found = unwrap(await session.client.GET('/v1/clusters/{cluster}/metadata/agents', { params }));
        session.show(found, () => renderAgents(found, session.paint));
      }),
    );

  agents
    .command('show <agent>')
    .description('show what an agent says about itself, e.g. ocf:heartbeat:IPaddr2: its parameters and actions')
    .action(
      inSession(surroundings, async (session, _, [agent = '']) => {
        const params = { path: { cluster: await session.cluster(), agent } };
        const found = unwrap(await session.client.GET('/v1/clusters/{cluster}/metadata/agents/{agent}', { params }));
        session.show(found, () => renderAgent(found, session.paint));
      }),
    );
}
