import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout } from '@systole/examples';

/**
 * Packs the agent as compiled, and has whoever starts agents start that package, by the environment variable SYSTOLE_AGENT_PROGRAM: it is what users install,
 * and an agent of it takes 0.4 s of processor time to start instead of 1.1 s, of which end-to-end tests start hundreds. In the checkout, because labs have a `/tmp` of their own.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(checkout, 'apps/agent/dist/package-'));
  // Its tools are called by other accounts, too.
  await chmod(directory, 0o755);
  execFileSync(process.execPath, [join(checkout, 'deploy/packaging/package.js'), '--staged', '--out', directory, 'systole-agent'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.env['SYSTOLE_AGENT_PROGRAM'] = join(directory, 'systole-agent/lib/agent/main.js');
  return async () => {
    Reflect.deleteProperty(process.env, 'SYSTOLE_AGENT_PROGRAM');
    await rm(directory, { recursive: true, force: true });
  };
}
