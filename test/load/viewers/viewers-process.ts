import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { COSTLY_REQUESTS, type Viewed } from './costly-requests.js';

/** What the process of the viewers is told, as its only argument in JSON. */
export interface ViewersTask {
  readonly url: string;
  readonly tokens: readonly string[];
  readonly viewed: Viewed;
  /** Requests of one viewer that are under way at a time. */
  readonly atOnce: number;
  readonly seconds: number;
}

/** Answers that the viewers got, by status; `closed`: the connection was. Sent to the parent at the end. */
export type ViewersAnswers = Readonly<Record<string, number>>;

/** Who is told to come later comes a little later, but much sooner than told, ms. */
const LATER_MS = 50;
/** Viewers are on machines of their own. Here they take what servers and agents leave of this one. */
const NICENESS = 15;

async function main({ url, tokens, viewed, atOnce, seconds }: ViewersTask): Promise<void> {
  setPriority(NICENESS);
  const until = performance.now() + seconds * 1_000;
  const answers: Record<string, number> = {};
  await Promise.all(
    tokens.flatMap((token, viewer) =>
      Array.from({ length: atOnce }, async (_, place) => {
        for (let turn = viewer + place * tokens.length; performance.now() < until; turn++) {
          const status = await COSTLY_REQUESTS[turn % COSTLY_REQUESTS.length]?.(url, token, viewed).then(
            (answer) => String(answer.status),
            () => 'closed',
          );
          answers[status ?? ''] = (answers[status ?? ''] ?? 0) + 1;
          if (status === '429' || status === '503') await sleep(LATER_MS);
        }
      }),
    ),
  );
  process.send?.(answers satisfies ViewersAnswers);
}

await main(JSON.parse(process.argv[2] ?? '') as ViewersTask);
