import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout } from '@systole/examples';

/**
 * Packs agent and server as compiled, and has whoever starts one as a process start that package, by the environment variables SYSTOLE_AGENT_PROGRAM and SYSTOLE_SERVER_PROGRAMS: it is
 * what users install, and starts with less than half of the processor time (an agent 0.4 s instead of 1.1 s, an api 2.7 s instead of 4.8 s), of which end-to-end tests start hundreds. In
 * the checkout, because labs have a `/tmp` of their own.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(checkout, 'apps/agent/dist/package-'));
  // The agent's tools are called by other accounts, too.
  await chmod(directory, 0o755);
  execFileSync(
    process.execPath,
    [join(checkout, 'deploy/packaging/package.js'), '--staged', '--out', directory, 'systole-agent', 'systole-server'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  process.env['SYSTOLE_AGENT_PROGRAM'] = join(directory, 'systole-agent/lib/agent/main.js');
  process.env['SYSTOLE_SERVER_PROGRAMS'] = join(directory, 'systole-server/lib/server');
  return async () => {
    Reflect.deleteProperty(process.env, 'SYSTOLE_AGENT_PROGRAM');
    Reflect.deleteProperty(process.env, 'SYSTOLE_SERVER_PROGRAMS');
    await rm(directory, { recursive: true, force: true });
  };
}
