// Debian's packages, by dpkg-deb: what npm's have, and what `debian/<name>` adds to it.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { CHECKOUT, VERSION } from './version.js';

const MAINTAINER = 'Systole maintainers <maintainers@systole.invalid>';
const MAINTAINER_SCRIPTS = ['preinst', 'postinst', 'prerm', 'postrm'];

/** What is put where, by the name of the package. */
const CONTENTS = {
  systole: {
    programs: { systole: 'bin/systole.js', crm_simulate: 'bin/crm_simulate' },
    place(root, library) {
      mkdirSync(join(root, 'usr/share/man/man1'), { recursive: true });
      zipped(join(root, 'usr/share/man/man1/systole.1.gz'), readFileSync(join(library, 'man/systole.1')));
      rmSync(join(library, 'man'), { recursive: true });
    },
  },
  'systole-server': {
    programs: {
      'systole-server': 'bin/systole-server.js',
      'systole-backup': 'bin/systole-backup',
      'systole-restore': 'bin/systole-restore',
    },
    place(root) {
      place(root, 'systole-server/systole-server.service', 'usr/lib/systemd/system/systole-server.service');
      place(root, 'systole-server/sysusers.conf', 'usr/lib/sysusers.d/systole-server.conf');
      place(root, 'systole-server/server.env', 'etc/systole/server.env', 0o600);
    },
  },
  'systole-agent': {
    programs: { 'systole-agent': 'bin/systole-agent' },
    place(root, library) {
      // Where agents are looked for, so that these are found as any others.
      mkdirSync(join(root, 'usr/lib/ocf'), { recursive: true });
      renameSync(join(library, 'share/ocf/resource.d'), join(root, 'usr/lib/ocf/resource.d'));
      rmSync(join(library, 'share'), { recursive: true });
      place(root, '../../apps/agent/systole-agent.service', 'usr/lib/systemd/system/systole-agent.service');
      place(root, 'systole-agent/agent.env', 'etc/systole/agent.env', 0o600);
      place(root, 'systole-agent/needrestart.conf', 'etc/needrestart/conf.d/systole-agent.conf');
    },
  },
};

/**
 * @param {string} name of the package
 * @param {string} staged directory of what npm's package has
 * @param {string} out directory that gets the `.deb`
 * @returns {string} the file
 */
export function makeDebianPackage(name, staged, out) {
  const { programs, place: placeOthers } = CONTENTS[name];
  const root = join(out, `${name}.debian`);
  const library = join(root, 'usr/lib', name);
  const documentation = join(root, 'usr/share/doc', name);
  rmSync(root, { recursive: true, force: true });
  for (const directory of [join(root, 'DEBIAN'), join(root, 'usr/bin'), documentation]) mkdirSync(directory, { recursive: true });
  cpSync(staged, library, { recursive: true });
  zipped(join(documentation, 'third-party-licenses.gz'), readFileSync(join(library, 'THIRD-PARTY-LICENSES')));
  for (const file of ['LICENSE', 'THIRD-PARTY-LICENSES']) rmSync(join(library, file));
  for (const [program, file] of Object.entries(programs)) symlinkSync(`../lib/${name}/${file}`, join(root, 'usr/bin', program));
  placeOthers(root, library);
  place(root, 'copyright', `usr/share/doc/${name}/copyright`);
  zipped(join(documentation, 'changelog.gz'), changelog(name));
  if (existsSync(source(`${name}/lintian-overrides`))) place(root, `${name}/lintian-overrides`, `usr/share/lintian/overrides/${name}`);
  setModes(root);
  // After the rest, which it tells the size of.
  writeFileSync(join(root, 'DEBIAN/control'), control(name, root));
  if (existsSync(source(`${name}/conffiles`))) place(root, `${name}/conffiles`, 'DEBIAN/conffiles');
  for (const script of MAINTAINER_SCRIPTS)
    if (existsSync(source(`${name}/${script}`))) place(root, `${name}/${script}`, `DEBIAN/${script}`, 0o755);
  const file = join(out, `${name}_${VERSION}_all.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', root, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(releasedAt()) },
  });
  rmSync(root, { recursive: true });
  return file;
}

const source = (file) => join(CHECKOUT, 'deploy/debian', file);

function place(root, from, to, mode = 0o644) {
  const path = join(root, to);
  mkdirSync(join(path, '..'), { recursive: true });
  cpSync(source(from), path);
  chmodSync(path, mode);
}

/** Without a time or a name in it, so that the same makes the same. */
function zipped(path, content) {
  writeFileSync(path, gzipSync(content, { level: 9 }), { mode: 0o644 });
}

function control(name, root) {
  const [first, ...rest] = readFileSync(source(`${name}/control`), 'utf8').split('\n');
  const size = execFileSync('du', ['-sk', '--exclude=DEBIAN', root], { encoding: 'utf8' }).split('\t')[0];
  return [first, `Version: ${VERSION}`, `Maintainer: ${MAINTAINER}`, `Installed-Size: ${size}`, ...rest].join('\n');
}

function changelog(name) {
  const date = new Date(releasedAt() * 1_000).toUTCString().replace('GMT', '+0000');
  return `${name} (${VERSION}) unstable; urgency=medium\n\n  * Release ${VERSION}.\n\n -- ${MAINTAINER}  ${date}\n`;
}

/** When what is packed was committed last, s since 1970; now where that is not known. */
function releasedAt() {
  try {
    return Number(
      execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: CHECKOUT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return Math.floor(Date.now() / 1_000);
  }
}

/** Whatever the umask of whoever packs was. What may be run is run as a program of its own: that esbuild or npm say so of a file that begins with "#!" is not enough. */
function setModes(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isSymbolicLink()) continue;
    if (entry.isDirectory()) setModes(path);
    const isProgram = !path.includes('/lib/agent/') && (statSync(path).mode & 0o111) !== 0;
    chmodSync(path, path.endsWith('.env') ? 0o600 : isProgram ? 0o755 : 0o644);
  }
}
