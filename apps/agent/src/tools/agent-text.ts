import { execFile } from 'node:child_process';
import {
  findAgent,
  findFenceAgent,
  MetadataError,
  readFenceMetadataText,
  SYSTEM_AGENT_DIRECTORIES,
  type AgentDirectories,
} from '@systole/ocf';
import { EXIT, ToolFailure, type ToolCall } from './tool.js';

const WITHIN = { timeout: 30_000, maxBuffer: 4 * 1024 * 1024, killSignal: 'SIGKILL' } as const;

/**
 * What an agent of this machine says about itself, as it says it; undefined where there is none, or it fails.
 *
 * @param name `ocf:heartbeat:IPaddr2`, `stonith:fence_ipmilan`
 * @param directories where agents are looked for
 * @throws {ToolFailure} where who asks may have no program run
 */
export async function agentText(
  name: string,
  { isReader }: Pick<ToolCall, 'isReader'>,
  directories: AgentDirectories = SYSTEM_AGENT_DIRECTORIES,
): Promise<string | undefined> {
  if (isReader === true) throw new ToolFailure(EXIT.DENIED, `${name}: only root has agents run`);
  const [standard = '', ...rest] = name.split(':');
  const type = rest.at(-1) ?? '';
  if (standard === 'stonith') {
    const found = await findFenceAgent(type, directories);
    return 'path' in found ? fenceAgentText(found.path) : undefined;
  }
  const found = await findAgent({ id: type, class: standard, ...(rest.length > 1 ? { provider: rest[0] ?? '' } : {}), type }, directories);
  return found.kind === 'ocf' ? printed(found.path, ['meta-data'], { OCF_ROOT: found.ocfRoot, OCF_RESOURCE_INSTANCE: type }) : undefined;
}

async function fenceAgentText(path: string): Promise<string | undefined> {
  try {
    const text = await readFenceMetadataText(path, { environment: { inherited: { PATH: searchPath() } } });
    return text === '' ? undefined : text;
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    return undefined;
  }
}

function searchPath(): string {
  return process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin';
}

function printed(path: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(path, [...args], { ...WITHIN, env: { PATH: searchPath(), LC_ALL: 'C', ...env } }, (error, stdout) => {
      resolve(error === null && stdout !== '' ? stdout : undefined);
    });
  });
}
