import { setImmediate as turn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { TreeReceiver, TreesDiverged, type TreeMessage, type XmlElement } from '@systole/cib';
import type { FromThread, ToThread } from './thread-messages.js';

/** What came of a task. What is in `moved` changes hands; it is not copied. */
export interface Performed<Result, Later> {
  readonly result: Result;
  readonly moved?: readonly ArrayBuffer[];
  /** Made once the result is on its way. */
  readonly later?: () => { readonly later: Later; readonly moved?: readonly ArrayBuffer[] };
}

export interface ThreadWork<Task, Result, Later> {
  /** One at a time. What it throws is told to who asked, and the thread goes on. */
  readonly perform: (task: Task) => Performed<Result, Later>;
  /** What makes the thread quick, step by step: whatever comes meanwhile has its turn. Without it the thread takes longer at first, and no more. */
  readonly rehearsal?: () => Promise<Iterator<unknown>>;
}

/** The trees that this thread was told of last. */
const trees = new TreeReceiver();
/** Why the one that was told last is not known. */
let broken: Error | undefined;

/** A tree as it was told last. @throws {TreesDiverged} when it is not known so: it has to be told whole */
export function knownTree(key: string): XmlElement {
  if (broken !== undefined) throw broken;
  return trees.tree(key);
}

/** Serves the pool that has started this thread, in whose entry it is called. */
export function serveThread<Task, Result, Later = never>({ perform, rehearsal }: ThreadWork<Task, Result, Later>): void {
  const say = (message: FromThread<Result, Later>, moved: readonly ArrayBuffer[] = []): void => {
    parentPort?.postMessage(message, moved);
  };
  const answer = (id: number, task: Task): void => {
    try {
      const { result, moved, later } = perform(task);
      say({ kind: 'done', id, result, follows: later !== undefined }, moved);
      if (later === undefined) return;
      const following = later();
      say({ kind: 'later', id, later: following.later }, following.moved);
    } catch (error) {
      say({ kind: error instanceof TreesDiverged ? 'diverged' : 'broke', id, error: textOf(error) });
    }
  };
  parentPort?.on('message', (message: ToThread<Task>) => {
    switch (message.kind) {
      case 'tree':
        learn(message.message);
        return;
      case 'forget':
        trees.forget(message.keys);
        return;
      case 'task':
        answer(message.id, message.task);
        return;
      case 'rehearse':
        rehearse(rehearsal).catch((error: unknown) => {
          process.emitWarning(`a thread could not make itself quick: ${textOf(error)}`);
        });
    }
  });
}

/** Takes in the next part of what is told of a tree; what is wrong with it is told by the task that needs it. */
function learn(message: TreeMessage): void {
  if (message.begins !== undefined) broken = undefined;
  if (broken !== undefined) return;
  try {
    trees.receive(message);
  } catch (error) {
    broken = error instanceof Error ? error : new TreesDiverged(String(error));
  }
}

async function rehearse(rehearsal: (() => Promise<Iterator<unknown>>) | undefined): Promise<void> {
  const steps = await rehearsal?.();
  while (steps !== undefined && steps.next().done !== true) await turn();
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
