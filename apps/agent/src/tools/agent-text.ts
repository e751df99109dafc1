import {
  findAgent,
  findFenceAgent,
  METADATA_MAX_BYTES,
  MetadataError,
  metadataText,
  readFenceMetadataText,
  runProcess,
  SYSTEM_AGENT_DIRECTORIES,
  UnreadableMetadata,
  type AgentDirectories,
} from '@systole/ocf';
import { EXIT, ToolFailure, type ToolCall } from './tool.js';

const TIMEOUT_MS = 30_000;

/**
 * What an agent of this machine says about itself, as it says it; undefined where there is none, or it fails.
 *
 * @param name `ocf:heartbeat:IPaddr2`, `stonith:fence_ipmilan`
 * @param directories where agents are looked for
 * @throws {ToolFailure} where who asks may have no program run, and for what is there and can't be read
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
    return 'path' in found
      ? textOf(() => readFenceMetadataText(found.path, { environment: { inherited: { PATH: searchPath() } } }))
      : undefined;
  }
  const found = await findAgent({ id: type, class: standard, ...(rest.length > 1 ? { provider: rest[0] ?? '' } : {}), type }, directories);
  return found.kind === 'ocf' ? textOf(() => printed(found.path, { OCF_ROOT: found.ocfRoot, OCF_RESOURCE_INSTANCE: type })) : undefined;
}

async function textOf(read: () => Promise<string>): Promise<string | undefined> {
  try {
    const text = await read();
    return text === '' ? undefined : text;
  } catch (error) {
    if (error instanceof UnreadableMetadata) throw new ToolFailure(EXIT.DATA, error.message);
    if (!(error instanceof MetadataError)) throw error;
    return undefined;
  }
}

function searchPath(): string {
  return process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin';
}

/** @throws {MetadataError} */
async function printed(path: string, env: Readonly<Record<string, string>>): Promise<string> {
  const result = await runProcess({
    file: path,
    args: ['meta-data'],
    env: { PATH: searchPath(), LC_ALL: 'C', ...env },
    timeoutMs: TIMEOUT_MS,
    killGraceMs: 0,
    maxOutputBytes: METADATA_MAX_BYTES,
  });
  if (result.end.kind !== 'exited' || result.end.code !== 0) throw new MetadataError(`${path} meta-data failed`);
  return metadataText(path, result);
}
