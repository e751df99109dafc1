import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const OOM_SCORE = '/proc/self/oom_score_adj';
const ORDINARY = { oomScore: '0', priority: 0, umask: 0o022 };

/**
 * Starts a process that is as one of the system's, not as this one: a child has what its parent has at that moment, and a service that is protected as
 * the node agent is would have everything else killed before it when memory is short. Nothing else of this process is started meanwhile, as nothing of it waits.
 *
 * @param start starts it, and returns when the program runs in it
 */
export function startApart<T>(start: () => T): T {
  const restore = [ordinaryOomScore(), ordinaryPriority(), ordinaryUmask()];
  try {
    return start();
  } finally {
    for (const back of restore) back();
  }
}

function ordinaryOomScore(): () => void {
  const own = attempt(() => readFileSync(OOM_SCORE, 'utf8').trim());
  if (own === undefined || own === ORDINARY.oomScore) return nothing;
  attempt(() => {
    writeFileSync(OOM_SCORE, ORDINARY.oomScore);
  });
  return () => {
    attempt(() => {
      writeFileSync(OOM_SCORE, own);
    });
  };
}

function ordinaryPriority(): () => void {
  const own = getPriority();
  if (own === ORDINARY.priority) return nothing;
  attempt(() => {
    setPriority(ORDINARY.priority);
  });
  return () => {
    attempt(() => {
      setPriority(own);
    });
  };
}

function ordinaryUmask(): () => void {
  const own = attempt(() => process.umask(ORDINARY.umask));
  if (own === undefined) return nothing;
  return () => {
    process.umask(own);
  };
}

function nothing(): void {
  // What is ordinary needs no way back.
}

/** Whoever may not is not protected either. */
function attempt<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}
