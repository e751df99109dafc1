import { unwrap, unwrapJson, type components } from '@systole/api-client';
import { findingKey, forPacemaker2, parseXml, serializeXml, type ConfigurationFinding } from '@systole/cib';
import { Option, type Command } from 'commander';
import { exportMark, exportMarkIn } from '../configuration/export-mark.js';
import { refusingLostUpdates } from '../configuration/requests.js';
import { verifyDocument } from '../configuration/verify.js';
import { EXIT, UsageError } from '../exit-code.js';
import { renderChanges } from '../render/changes.js';
import { upgradeLine } from '../render/upgrade.js';
import { renderVerified } from '../render/verified.js';
import { inSession, outputOf, showDocument, type Output, type Session, type Surroundings } from '../session.js';
import type { GlobalFlags } from '../settings/settings.js';
import { writeWhole } from '../whole-file.js';
import { asXml } from '../xml-body.js';
import { addConvertCommand } from './cib-convert.js';
import { readDocument } from './cluster.js';
import { atOption } from './at-option.js';
import { secretsOption } from './secrets-option.js';
import {
  addForceOption,
  addConfigurationWriteOptions,
  because,
  forced,
  showWriteResult,
  writeParams,
  type ForceFlags,
  type ReasonFlags,
} from './write-options.js';

interface ExportFlags {
  readonly at?: string;
  /** Whose tools are to open it. */
  readonly for?: 'pacemaker-2.1';
  readonly output?: string;
  readonly secrets?: 'clear';
}

interface ImportFlags extends ReasonFlags, ForceFlags {
  readonly overwrite?: boolean;
}

export function addCibCommands(program: Command, surroundings: Surroundings): void {
  const cib = program.command('cib').description('export, convert, compare and import the configuration');

  cib
    .command('export')
    .description('print the CIB, configuration and status, as XML (with --json as JSON)')
    .addOption(atOption())
    .addOption(
      new Option('--for <program>', 'as the tools of an older Pacemaker open it; says what had to be changed').choices(['pacemaker-2.1']),
    )
    .option('-o, --output <file>', 'write it to this file')
    .addOption(secretsOption())
    .action(
      inSession<ExportFlags>(surroundings, async (session, { at, for: program, output, secrets }) => {
        const { client, json } = session;
        if (json && program !== undefined) throw new UsageError('--for writes XML, which is what those tools read: leave --json out');
        const cluster = await session.cluster();
        const params = { path: { cluster }, query: { ...(at === undefined ? {} : { at }), ...(secrets === undefined ? {} : { secrets }) } };
        const headers = { accept: json ? 'application/json' : 'application/xml' };
        const answer = await client.GET('/v1/clusters/{cluster}/cib', { params, headers, parseAs: 'text' });
        const text = program === undefined ? unwrap(answer) : openedByPacemaker2(session, unwrap(answer));
        const tag = answer.response.headers.get('etag');
        const mark = json || tag === null ? '' : exportMark({ clusterId: await clusterIdOf(session, cluster), tag });
        const document = `${mark}${text}${text.endsWith('\n') ? '' : '\n'}`;
        if (output === undefined) showDocument(session, document);
        else await writeWhole(output, (put) => put(document), secrets === undefined ? undefined : 0o600);
      }),
    );

  addConvertCommand(cib, surroundings);
  cib
    .command('verify [file]')
    .description('check the configuration of a file (- for standard input), without any server, or else that of the cluster')
    .action(async (...given) => {
      const [file, flags, command] = given as unknown as readonly [string | undefined, object, Command];
      if (file === undefined) {
        await inSession(surroundings, verifyCluster)(flags, command);
        return;
      }
      const output = outputOf(surroundings.terminal, command.optsWithGlobals<GlobalFlags>());
      showVerified({ ...surroundings, ...output }, await readDocument(file, surroundings.terminal), file);
    });

  addForceOption(cib.command('diff <file>'))
    .description('show what importing a configuration would change, and what the cluster would do then')
    .action(
      inSession<ForceFlags>(surroundings, async (session, { force }, [file = '']) => {
        const flags = { dryRun: true, overwrite: true, ...(force === undefined ? {} : { force }) };
        showWriteResult(session, await replaceConfiguration(session, file, flags));
      }),
    );

  addConfigurationWriteOptions(cib.command('import <file>'))
    .description('replace the configuration (- for standard input); a status section in the file is ignored')
    .option(
      '--overwrite',
      'also when the file is an export and the configuration was changed since, or its version is lower: what was changed is lost',
    )
    .action(
      inSession<ImportFlags>(surroundings, async (session, flags, [file = '']) => {
        showWriteResult(session, await replaceConfiguration(session, file, flags));
      }),
    );
}

/** Says on stderr what the document says otherwise. */
function openedByPacemaker2({ terminal, paint }: Session, text: string): string {
  const { document, changes } = forPacemaker2(parseXml(text, { maxBytes: Number.POSITIVE_INFINITY }));
  for (const change of changes) terminal.complain(upgradeLine(change, paint));
  return serializeXml(document);
}

/** The document as the server has it is read as an import would be. */
async function verifyCluster(session: Session): Promise<void> {
  const cluster = await session.cluster();
  const headers = { accept: 'application/xml' };
  const answer = await session.client.GET('/v1/clusters/{cluster}/cib', { params: { path: { cluster } }, headers, parseAs: 'text' });
  const { findings } = unwrapJson(await session.client.GET('/v1/clusters/{cluster}/status', { params: { path: { cluster } } }));
  showVerified(session, unwrap(answer), cluster, findings.items);
}

/**
 * Ends with a failure where the document would be refused; warnings are told only.
 *
 * @param told findings of a server, which knows more than the document says: what agents there are, which secrets were erased
 */
function showVerified(
  { paint, show, end }: Output & Surroundings,
  document: string,
  name: string,
  told: readonly ConfigurationFinding[] = [],
): void {
  const found = verifyDocument(document);
  const known = new Set(found.findings.map(findingKey));
  const further = told.filter((finding) => !known.has(findingKey(finding)));
  const verified = { ...found, findings: [...found.findings, ...further] };
  show(verified, () => renderVerified(verified, name, paint));
  if (!verified.valid || verified.findings.some(({ level }) => level === 'error')) end(EXIT.failed);
}

async function replaceConfiguration(session: Session, file: string, flags: ImportFlags): Promise<components['schemas']['WriteResultDto']> {
  return importDocument(session, await readDocument(file, session.terminal), flags);
}

/**
 * Makes the configuration that of a CIB. An export of this cluster says which one it rests on; what was made elsewhere rests on none.
 *
 * @throws {ProblemError} 412, after the difference was shown, for an export that is out of date
 */
export async function importDocument(
  session: Session,
  document: string,
  flags: ImportFlags,
): Promise<components['schemas']['WriteResultDto']> {
  const { query, header } = writeParams(flags);
  const cluster = await session.cluster();
  const exported = flags.overwrite === true ? undefined : exportMarkIn(document);
  const rests = exported !== undefined && (await clusterIdOf(session, cluster)) === exported.clusterId ? exported.tag : '*';
  const ifMatch = header['If-Match'] ?? rests;
  if (header['If-Match'] === undefined && rests === '*' && flags.overwrite !== true) await refuseOlder(session, document);
  return refusingLostUpdates(session, ifMatch, async () =>
    unwrap(
      await session.client.PUT('/v1/clusters/{cluster}/cib', {
        params: { path: { cluster }, query: { ...query, ...because(flags), ...forced(flags) }, header: { 'If-Match': ifMatch } },
        ...asXml(document),
      }),
    ),
  );
}

/**
 * A document that rests on nothing says by its version how old it is, as with `cibadmin --replace`.
 *
 * @throws {UsageError} after the difference was shown, for one whose version is lower than that of the cluster
 */
async function refuseOlder(session: Session, document: string): Promise<void> {
  const params = { path: { cluster: await session.cluster() } };
  const headers = { accept: 'application/xml' };
  const present = versionIn(unwrap(await session.client.GET('/v1/clusters/{cluster}/cib', { params, headers, parseAs: 'text' })));
  const given = versionIn(document);
  if (given === undefined || present === undefined) return;
  const [adminEpoch, epoch] = given;
  if (adminEpoch > present[0] || (adminEpoch === present[0] && epoch >= present[1])) return;
  const { changes } = await importDocument(session, document, { dryRun: true, overwrite: true, force: true });
  if (!session.json) for (const line of renderChanges(changes, session.paint)) session.terminal.complain(line);
  throw new UsageError(
    `its version (${given.join('.')}) is lower than that of the cluster (${present.join('.')}): it is older than what it would replace, or of another cluster. --overwrite puts it in force all the same`,
  );
}

/** `admin_epoch` and `epoch`; undefined where it does not give both: the server says what is wrong with it. */
function versionIn(document: string): readonly [adminEpoch: number, epoch: number] | undefined {
  const [tag = ''] = /<cib\s[^>]*>/.exec(document) ?? [];
  const [adminEpoch, epoch] = ['admin_epoch', 'epoch'].map((name) => new RegExp(`\\s${name}\\s*=\\s*["'](\\d{1,10})["']`).exec(tag)?.[1]);
  return adminEpoch === undefined || epoch === undefined ? undefined : [Number(adminEpoch), Number(epoch)];
}

async function clusterIdOf({ client }: Session, cluster: string): Promise<string> {
  return unwrap(await client.GET('/v1/clusters/{cluster}', { params: { path: { cluster } } })).id;
}
