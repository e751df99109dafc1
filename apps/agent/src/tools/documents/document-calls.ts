import type { Caller } from '../caller.js';
import { runTool } from '../run-tool.js';
import type { ToolCall, ToolCluster, ToolResult } from '../tool.js';

/** Tools that read documents of their callers, and compare or judge them, for as long as that takes. */
const FOR_ALL: ReadonlySet<string> = new Set(['crm_diff', 'crm_rule', 'crm_verify']);
/** What another account asks of a document, by as long an XPath as it likes. */
const FOR_READERS: ReadonlySet<string> = new Set(['cibadmin']);

/** Whether a call may take longer than the loop that renews the lease may be taken up with it. */
export function isOfDocuments({ tool, isReader }: Pick<ToolCall, 'tool' | 'isReader'>): boolean {
  return FOR_ALL.has(tool) || (isReader === true && FOR_READERS.has(tool));
}

/** What the thread is told. */
export type ToThread =
  | {
      readonly id: number;
      readonly call: Omit<ToolCall, 'caller'>;
      readonly hasCaller: boolean;
      readonly cluster: Pick<ToolCluster, 'node' | 'nodeId' | 'clusterName'>;
    }
  /** What it asked for. */
  | { readonly id: number; readonly text: string }
  | { readonly id: number; readonly trouble: string };

/** What the thread says: it asks for one text at a time. */
export type FromThread =
  | { readonly id: number; readonly asks: 'cib' | 'stdin' }
  | { readonly id: number; readonly asks: 'read'; readonly path: string }
  | { readonly id: number; readonly has: Told; readonly args: readonly string[] }
  | { readonly id: number; readonly result: ToolResult };

/** What its caller is to do. */
export type Told = 'write' | 'detach' | 'file' | 'overwrite' | 'create' | 'remove';

interface Asking {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}

/** The thread's side: runs calls, and asks for the texts that they are about. @param say never throws @returns takes what the thread is told */
export function documentCalls(say: (message: FromThread) => void): (told: ToThread) => void {
  const asking = new Map<number, Asking>();
  const ask = (message: Extract<FromThread, { readonly asks: string }>): Promise<string> =>
    new Promise((resolve, reject) => {
      asking.set(message.id, { resolve, reject });
      say(message);
    });
  return (told) => {
    const { id } = told;
    if ('call' in told) {
      const { call, hasCaller, cluster } = told;
      const meant = hasCaller ? { ...call, caller: callerOf(id, ask, say) } : call;
      void runTool(meant, clusterOf(id, cluster, ask)).then((result) => {
        say({ id, result });
      });
      return;
    }
    const asked = asking.get(id);
    asking.delete(id);
    if ('text' in told) asked?.resolve(told.text);
    else asked?.reject(new Error(told.trouble));
  };
}

type Ask = (message: Extract<FromThread, { readonly asks: string }>) => Promise<string>;

function callerOf(id: number, ask: Ask, say: (message: FromThread) => void): Caller {
  const tell =
    (has: Told) =>
    (...args: readonly string[]): void => {
      say({ id, has, args });
    };
  return {
    stdin: () => ask({ id, asks: 'stdin' }),
    read: (path) => ask({ id, asks: 'read', path }),
    write: tell('write'),
    detach: tell('detach'),
    file: tell('file'),
    overwrite: tell('overwrite'),
    create: tell('create'),
    remove: tell('remove'),
    run: () => {
      throw new Error('no tool of documents runs a program');
    },
    gone: new AbortController().signal,
  };
}

/** Nothing but the document is asked of the cluster. */
function clusterOf(id: number, named: Pick<ToolCluster, 'node' | 'nodeId' | 'clusterName'>, ask: Ask): ToolCluster {
  const refuse = (): Promise<never> => Promise.reject(new Error('no tool of documents asks the cluster for more than its document'));
  return {
    ...named,
    cib: () => ask({ id, asks: 'cib' }),
    setAttributes: refuse,
    request: refuse,
    transient: { read: refuse, own: { names: [], get: () => undefined, set: refuse } },
  };
}
