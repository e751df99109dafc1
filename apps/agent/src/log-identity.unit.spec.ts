import { pino } from 'pino';
import { expect, it } from 'vitest';
import { LogIdentity } from './log-identity.js';

it('names the node and its cluster in each line once they are known, each once, and nothing of the line before', () => {
  const lines: string[] = [];
  const identity = new LogIdentity();
  const logger = pino({ mixin: () => identity.known, base: null, timestamp: false }, { write: (line: string) => lines.push(line) });
  logger.info('joining');
  identity.joined({ clusterId: 'c-1', clusterName: 'prod', node: 'n1' });
  logger.info({ node: 'n1', incarnation: 1 }, 'joined');
  logger.info('polling');
  expect(lines).toEqual([
    '{"level":30,"msg":"joining"}\n',
    '{"level":30,"clusterId":"c-1","cluster":"prod","node":"n1","incarnation":1,"msg":"joined"}\n',
    '{"level":30,"clusterId":"c-1","cluster":"prod","node":"n1","msg":"polling"}\n',
  ]);
});
