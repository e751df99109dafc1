import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkout } from '@systole/examples';

const run = promisify(execFile);
/** What an installation runs. */
const PROGRAMS = ['apps/api', 'apps/worker', 'apps/agent', 'migrations'];
/** Compilers say much before they fail. */
const MOST_OUTPUT = 64 * 1024 * 1024;

/** A commit that users have. */
export interface Release {
  /** As it is called: `v0.1.0`, or the subject of its commit. */
  readonly name: string;
  readonly commit: string;
}

/** There is nothing to update from: neither a tag nor a commit of a release in what was cloned. */
export class NoRelease extends Error {
  override readonly name = 'NoRelease';
}

/**
 * What users have, who update to this checkout: the newest tag `v…` in the history, in a clone without tags the newest commit `Release …`.
 *
 * @param repository default: this checkout
 * @param wanted any commit instead
 * @throws {NoRelease} also where the history was not cloned
 */
export function lastRelease(repository = checkout, wanted = process.env['SYSTOLE_UPGRADE_FROM']): Release {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  if (wanted !== undefined && wanted !== '') return { name: wanted, commit: git('rev-parse', `${wanted}^{commit}`) };
  const [tag] = git('tag', '--list', 'v[0-9]*', '--merged', 'HEAD', '--sort=-version:refname').split('\n');
  if (tag !== undefined && tag !== '') return { name: tag, commit: git('rev-parse', `${tag}^{commit}`) };
  const found = git('log', '-1', '--extended-regexp', '--grep=^Release [0-9]+\\.[0-9]+\\.[0-9]+', '--format=%H %s');
  const [commit, ...subject] = found.split(' ');
  if (commit === undefined || commit === '')
    throw new NoRelease('no tag v… and no commit "Release …" in the history of this clone: fetch it whole (git fetch --unshallow --tags)');
  return { name: subject.join(' '), commit };
}

/**
 * That commit, installed and compiled; kept in `.releases`, so that it is made once.
 *
 * @returns its directory
 */
export async function releasedCheckout({ commit }: Release): Promise<string> {
  const place = join(checkout, '.releases');
  const ready = join(place, commit);
  if (existsSync(ready)) return ready;
  const making = `${ready}.${String(process.pid)}`;
  mkdirSync(making, { recursive: true });
  try {
    await run('sh', ['-c', 'git -C "$0" archive "$1" | tar -x -C "$2"', checkout, commit, making], { maxBuffer: MOST_OUTPUT });
    await install(making);
    await compile(making);
    renameSync(making, ready);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    throw error;
  }
  return ready;
}

/** @throws with what the compiler says, which it writes to its output */
async function compile(directory: string): Promise<void> {
  const compiler = [join(directory, 'node_modules/typescript/bin/tsc'), '-b', ...PROGRAMS];
  await run(process.execPath, compiler, { cwd: directory, maxBuffer: MOST_OUTPUT }).catch((error: unknown) => {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`${directory} can't be compiled:\n${said.slice(0, 4_000)}`, { cause: error });
  });
}

/** The same packages are not fetched twice: what has the same lock file gets links to those that are here. */
async function install(directory: string): Promise<void> {
  const lock = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lock(directory) !== lock(checkout)) {
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: directory, maxBuffer: MOST_OUTPUT });
    return;
  }
  const { packages } = JSON.parse(lock(directory)) as { readonly packages: Readonly<Record<string, unknown>> };
  const workspaces = Object.keys(packages).filter((place) => !place.includes('node_modules'));
  for (const workspace of workspaces) {
    const from = join(checkout, workspace, 'node_modules');
    const to = join(directory, workspace, 'node_modules');
    if (!existsSync(from)) continue;
    mkdirSync(to);
    // Links within, to packages of the repository, are relative: they lead to those of that commit.
    const installed = readdirSync(from).filter((name) => !['.vite', '.package-lock.json'].includes(name));
    await run('cp', ['-al', ...installed.map((name) => join(from, name)), to]);
  }
}
