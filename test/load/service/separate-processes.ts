import { rm } from 'node:fs/promises';
import { startEmbeddedPostgres } from '@systole/embedded';
import { freePort, startOwnRedis } from '@systole/queue/testing';
import { serverProgram } from '../../servers/server-program.js';
import { ENVIRONMENT, newDirectory, Served } from './served.js';
import { ServerProcess } from './server-process.js';

export interface SeparateProcessesOptions {
  readonly apis: number;
  readonly workers: number;
  /** Where their profiles go (`--cpu-prof`); absent: none are made. */
  readonly profiles?: string;
  /** Where the data of PostgreSQL are; absent: in a new directory, which is removed in the end. */
  readonly directory?: string;
}

/** The product as in production: apis and workers are processes of their own, PostgreSQL and Redis are servers that they are given. The apis come first. */
export async function startSeparately({ apis, workers, profiles, directory: given }: SeparateProcessesOptions): Promise<Served> {
  const directory = given ?? newDirectory();
  const postgresql = await startEmbeddedPostgres({ dataDir: directory, progress: () => undefined });
  const redis = await startOwnRedis();
  const dispose = async (): Promise<void> => {
    await redis.dispose();
    await postgresql.stop();
    if (given === undefined) await rm(directory, { recursive: true, force: true });
  };
  const servers = { databaseUrl: postgresql.databaseUrl, redisUrl: redis.url, adminToken: ENVIRONMENT.SYSTOLE_ADMIN_TOKEN };
  const start = (program: 'api' | 'worker', settings: Readonly<Record<string, string>> = {}): Promise<ServerProcess> => {
    const { command, environment } = serverProgram(program, servers);
    return ServerProcess.start({
      command: command.slice(1),
      environment: { ...environment, ...ENVIRONMENT, ...settings },
      ...(profiles === undefined ? {} : { profiles }),
    });
  };
  const urls: string[] = [];
  const processes: ServerProcess[] = [];
  try {
    // One after the other: the first one makes the tables.
    for (let index = 0; index < apis; index++) {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const api = await start('api', { PORT: String(port), HOST: '127.0.0.1' });
      urls.push(url);
      processes.push(api);
      await api.ready(url);
    }
    for (let index = 0; index < workers; index++) processes.push(await start('worker'));
    return new Served(urls, processes, {
      url: () => Promise.resolve(postgresql.databaseUrl),
      pid: () => Promise.resolve(postgresql.pid),
      dispose,
    });
  } catch (error) {
    await Promise.all(processes.map((process) => process.end('SIGKILL')));
    await dispose();
    throw error;
  }
}
