import { describe, expect, it, vi } from 'vitest';
import type { Caller } from '../caller.js';
import { runTool } from '../run-tool.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster } from '../tool.js';
import { documentCalls, isOfDocuments, type FromThread, type ToThread } from './document-calls.js';
import { DocumentThread, type Listener } from './document-thread.js';

const unused = (): never => {
  throw new Error('not needed');
};
const CIB = '<cib><configuration><constraints/></configuration></cib>';
const cluster: ToolCluster = {
  ...{ node: 'n1', nodeId: '1', clusterName: 'west', cib: () => Promise.resolve(CIB), request: unused, setAttributes: unused },
  transient: { read: unused, own: { get: unused, names: [], set: unused } },
};
const callOf = (tool: string, args: readonly string[], more: Partial<ToolCall> = {}): ToolCall => ({ tool, args, env: {}, ...more });

/** Another thread, as far as messages go; each is copied, as between threads. */
function near(): { readonly thread: DocumentThread; readonly listeners: Listener[]; readonly ended: () => number } {
  const listeners: Listener[] = [];
  let ended = 0;
  const thread = new DocumentThread((listener) => {
    listeners.push(listener);
    const take = documentCalls((message: FromThread) => {
      queueMicrotask(() => {
        listener.said(structuredClone(message));
      });
    });
    return {
      tell: (message: ToThread) => {
        const copy = structuredClone(message);
        queueMicrotask(() => {
          take(copy);
        });
      },
      end: () => {
        ended += 1;
      },
    };
  });
  return { thread, listeners, ended: () => ended };
}

describe('tools that work on documents', () => {
  it('are all that read what another account gives, and those that compare', () => {
    const reader = { isReader: true };
    for (const tool of ['crm_diff', 'crm_rule', 'crm_verify'])
      expect([isOfDocuments({ tool }), isOfDocuments({ tool, ...reader })]).toEqual([true, true]);
    expect([isOfDocuments({ tool: 'cibadmin' }), isOfDocuments({ tool: 'cibadmin', ...reader })]).toEqual([false, true]);
    expect(isOfDocuments({ tool: 'crm_attribute', ...reader })).toBe(false);
  });

  it('answer in another thread as they do in this one', async () => {
    const { thread } = near();
    const caller = {
      stdin: () => Promise.resolve('<a x="2"/>'),
      read: (path: string) => (path === 'there' ? Promise.resolve('<a x="1"/>') : Promise.reject(new Error('no such file'))),
    } as Caller;
    for (const call of [
      callOf('crm_diff', ['-O', '<a x="1"/>', '-N', '<a x="2"/>']),
      callOf('crm_diff', ['-o', 'there', '-n', '-', '-u'], { caller }),
      callOf('crm_diff', ['-o', 'away', '-n', 'there'], { caller }),
      callOf('crm_verify', ['-L', '-V']),
      callOf('crm_rule', ['-c', '-r', 'f']),
      callOf('cibadmin', ['-Q', '-A', '//constraints'], { isReader: true }),
      callOf('cibadmin', ['-D', '-X', '<constraints/>'], { isReader: true }),
    ])
      expect(await thread.run(call, cluster), call.args.join(' ')).toEqual(await runTool(call, cluster));
  });

  it('have what they write written by their caller', async () => {
    const create = vi.fn();
    const args = ['-c', '-r', 'f', '--output-to', 'out'];
    await near().thread.run(callOf('crm_rule', args, { cwd: '/home', caller: { create } as unknown as Caller }), cluster);
    expect(create).toHaveBeenCalledExactlyOnceWith('/home/out', expect.any(String));
  });

  it('end as elsewhere when the cluster does not answer', async () => {
    const away = { ...cluster, cib: () => Promise.reject(new ToolFailure(EXIT.DISCONNECTED, 'away')) };
    expect(await near().thread.run(callOf('crm_verify', ['-L']), away)).toMatchObject({ exitCode: EXIT.DISCONNECTED });
  });

  it('fail with their thread, and the next one has another', async () => {
    const { thread, listeners, ended } = near();
    const never = { ...cluster, cib: () => new Promise<string>(() => undefined) };
    const waiting = thread.run(callOf('crm_verify', ['-L']), never);
    listeners[0]?.failed(new Error('out of memory'));
    expect(await waiting).toMatchObject({ exitCode: EXIT.SOFTWARE, stderr: expect.stringContaining('out of memory') as string });
    expect(ended()).toBe(1);
    expect(await thread.run(callOf('crm_verify', ['-L']), cluster)).toEqual(await runTool(callOf('crm_verify', ['-L']), cluster));
    expect(listeners).toHaveLength(2);
  });

  it('are ended when they take a minute', async () => {
    vi.useFakeTimers();
    try {
      const thread = new DocumentThread(() => ({ tell: () => undefined, end: () => undefined }));
      const waiting = thread.run(callOf('crm_verify', ['-L']), cluster);
      vi.advanceTimersByTime(60_000);
      expect(await waiting).toMatchObject({ exitCode: EXIT.SOFTWARE, stderr: expect.stringContaining('more than 60 s') as string });
    } finally {
      vi.useRealTimers();
    }
  });
});
