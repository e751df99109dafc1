import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { AskedRequest, RequestsOutcome, RequestsTask } from './requests.js';

/** Between two looks at what is due, ms. */
const TICK_MS = 1;
/** Who is so far behind, s, is asked no more: it is known that he can't keep up, and by how much. */
const FAR_BEHIND = 5;

/** Asks at an even rate, however long the answers take: who is slow is asked as often as who is quick. */
async function ask({ url, token, requests, perSecond, seconds, connections }: RequestsTask): Promise<RequestsOutcome> {
  const pool = new Pool(url, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  const times: number[] = [];
  const answers: Record<string, number> = {};
  let bytes = 0;
  const one = async ({ method, path, headers, body }: AskedRequest, turn: number, due: number): Promise<void> => {
    let status: string;
    try {
      const answer = await pool.request({
        method,
        path,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body === undefined ? {} : { body: body.replaceAll('TURN', String(turn)) }),
      });
      for await (const chunk of answer.body as AsyncIterable<Buffer>) bytes += chunk.length;
      status = String(answer.statusCode);
    } catch {
      status = 'closed';
    }
    times.push(performance.now() - due);
    answers[status] = (answers[status] ?? 0) + 1;
  };
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const all: Promise<void>[] = [];
  const turns = Math.floor(perSecond * seconds);
  for (let turn = 0; turn < turns && turn - times.length < perSecond * FAR_BEHIND;) {
    for (let due = begin + (turn * 1_000) / perSecond; turn < turns && due <= performance.now(); due = begin + (turn * 1_000) / perSecond) {
      const request = requests[turn % requests.length];
      if (request !== undefined) all.push(one(request, turn, due));
      turn += 1;
    }
    await sleep(TICK_MS);
  }
  await Promise.all(all);
  const took = (performance.now() - begin) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  await pool.close();
  return { times: times.sort((a, b) => a - b), answers, bytes, seconds: took, cpuMs: (user + system) / 1_000 };
}

process.once('message', (task: RequestsTask) => {
  void ask(task).then((outcome) => {
    process.send?.(outcome, () => {
      process.disconnect();
    });
  });
});
