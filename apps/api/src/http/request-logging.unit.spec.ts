import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino, type Logger } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpProblem } from './problem.js';
import type { ProblemCode } from './problem-codes.js';
import { answerProblem } from './problem.filter.js';
import { requestLogging } from './request-logging.js';

const REFUSALS: readonly ProblemCode[] = ['computation-timeout', 'overloaded', 'busy', 'computation-too-large', 'caller-gone'];

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly stack?: string };
  readonly req: { readonly id: string; readonly url: string };
  readonly by?: string;
  readonly clusterId?: string;
  readonly cluster?: string;
  readonly node?: string;
}

const ID = '64ed71c5-4619-8e68-8c75-3ffbcead568e';

/** A server that answers with the status that the query names, and says something first where the query asks for it. */
async function served(
  level: string,
): Promise<{ readonly lines: Line[]; readonly children: () => number; readonly ask: (path: string) => Promise<Response> }> {
  const lines: Line[] = [];
  const write = (line: string): void => {
    // As strict readers of JSON have it: no member twice.
    for (const name of ['"by":', '"clusterId":', '"cluster":', '"node":']) expect(line.split(name).length).toBeLessThan(3);
    lines.push(JSON.parse(line) as Line);
  };
  const logger = pino({ level }, { write });
  let children = 0;
  const counted: Logger = Object.assign(logger, {
    // A child's child is the child's.
    child(this: Logger, ...args: Parameters<Logger['child']>) {
      children += 1;
      return (Object.getPrototypeOf(logger) as Logger).child.apply(this, args);
    },
  });
  const app = express();
  const log = requestLogging(counted, (name) => (name === 'prod' ? ID : undefined));
  children = 0;
  app.use(log, (request, response) => {
    const { as } = request.query;
    if (as === 'agent') request.principal = { kind: 'agent', tokenId: 't', clusterId: ID, node: 'n1', actor: 'agent:n1' };
    if (as === 'alice') request.principal = { kind: 'operator', role: 'viewer', tokenId: 't', actor: 'user:alice', seesSecrets: false };
    if (request.query['say'] !== undefined) request.log.warn('something');
    const { problem: named } = request.query;
    if (named !== undefined) {
      const code = REFUSALS.find((each) => each === named);
      const problem = code === undefined ? new Error('it broke') : new HttpProblem(Number(request.query['status']), code, 'no');
      answerProblem(problem, request, response, { refused: () => undefined }, { refused: () => undefined });
      return;
    }
    response.status(Number(request.query['status'] ?? 200)).end(typeof request.id === 'string' ? request.id : '');
  });
  const server = app.listen(0);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${String(port)}${path}`, { headers: { connection: 'close' } });
  return { lines, children: () => children, ask };
}

describe('requests that are asked again and again', () => {
  it('have an id, and no logger of their own as long as nothing is to be said', async () => {
    const { lines, children, ask } = await served('info');
    const answer = await ask('/v1/agent/poll');
    expect(await answer.text()).toBe(answer.headers.get('x-request-id'));
    expect(lines).toEqual([]);
    expect(children()).toBe(0);
  });

  it('are named by what is said of them, and logged when they go wrong', async () => {
    const { lines, ask } = await served('info');
    const answer = await ask('/v1/agent/poll?say=1&status=503');
    const id = answer.headers.get('x-request-id');
    await expect
      .poll(() => lines.map(({ level, msg, req }) => [level, msg, req.id]))
      .toEqual([
        [40, 'something', id],
        [50, 'request errored', id],
      ]);
    expect(lines[0]?.req.url).toBe('/v1/agent/poll?say=1&status=503');
  });

  it('are all logged where everything is', async () => {
    const { lines, ask } = await served('trace');
    await ask('/v1/agent/poll');
    await expect.poll(() => lines.map(({ level, msg }) => [level, msg])).toEqual([[10, 'request completed']]);
  });
});

describe('other requests', () => {
  it('are logged when they are refused', async () => {
    const { lines, ask } = await served('info');
    await ask('/v1/clusters?status=404');
    await expect.poll(() => lines.map(({ level, req }) => [level, req.url])).toEqual([[30, '/v1/clusters?status=404']]);
  });
});

describe('what is no defect', () => {
  it.each(['info', 'trace'])('is said without a stack, and wakes nobody (level %s)', async (level) => {
    const { lines, ask } = await served(level);
    const told = async (query: string): Promise<unknown> => {
      lines.length = 0;
      await (await ask(`/v1/clusters/prod/status?${query}`)).text();
      const isOver = (): boolean => lines.some(({ msg }) => msg.startsWith('request '));
      await expect.poll(isOver, { timeout: 500 }).toBe(true);
      return lines.map(({ level: of, err }) => [of, err?.stack !== undefined]);
    };
    for (const code of ['computation-timeout', 'overloaded', 'busy']) {
      expect(await told(`problem=${code}&status=503`)).toEqual([
        [40, false],
        [30, false],
      ]);
    }
    expect(await told('problem=computation-too-large&status=422')).toEqual([
      [40, false],
      [30, false],
    ]);
    expect(await told('problem=caller-gone&status=503')).toEqual([...(level === 'info' ? [] : [[20, false]]), [30, false]]);
    expect(await told('problem=none')).toEqual([
      [50, true],
      [50, level === 'trace'],
    ]);
  });
});

describe('what is logged of a request', () => {
  it.each(['info', 'trace'])('names who asked, and the cluster and the node that it is about (level %s)', async (level) => {
    const { lines, ask } = await served(level);
    await ask('/v1/agent/results?status=400&as=agent&say=1');
    await ask('/v1/clusters/prod/nodes/n%202?status=409&as=alice');
    await ask(`/v1/clusters/${ID}/status?status=404&as=alice`);
    await ask('/v1/clusters/gone?status=404');
    const about = { by: 'user:alice', clusterId: ID };
    await expect
      .poll(() => lines.map(({ by, clusterId, cluster, node }) => ({ by, clusterId, cluster, node })))
      .toEqual([
        ...[1, 2].map(() => ({ by: 'agent:n1', clusterId: ID, cluster: undefined, node: 'n1' })),
        { ...about, cluster: 'prod', node: 'n 2' },
        { ...about, cluster: undefined, node: undefined },
        { by: undefined, clusterId: undefined, cluster: 'gone', node: undefined },
      ]);
  });
});
