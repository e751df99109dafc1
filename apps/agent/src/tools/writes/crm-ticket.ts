import { childElements, childrenNamed, firstChildNamed, parseBoolean, parseXml, serializeXml, type XmlElement } from '@systole/cib';
import { flag, type OptionSpec, parseArguments, type ParsedArguments, refuseSeveral, value } from '../arguments.js';
import { ctime } from '../ctime.js';
import { EXIT, ToolFailure, type ToolCall, type ToolResult } from '../tool.js';
import type { ClusterConnection } from './cluster-connection.js';
import { callerOf, OK, said } from './command-line.js';
import { WRITE_EXIT } from './tool-exits.js';

const OPTIONS: readonly OptionSpec[] = [
  flag('info', '-l', '--info'),
  flag('details', '-L', '--details'),
  flag('raw', '-w', '--raw'),
  flag('xml', '-q', '--query-xml'),
  flag('constraints', '-c', '--constraints'),
  flag('grant', '-g', '--grant'),
  flag('revoke', '-r', '--revoke'),
  flag('standby', '-s', '--standby'),
  flag('activate', '-a', '--activate'),
  value('get', '-G', '--get-attr'),
  value('set', '-S', '--set-attr'),
  value('delete', '-D', '--delete-attr'),
  flag('cleanup', '-C', '--cleanup'),
  value('value', '-v', '--attr-value'),
  value('default', '-d', '--default'),
  flag('force', '-f', '--force'),
  value('ticket', '-t', '--ticket'),
  flag('quiet', '-Q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
];

const QUESTIONS = ['info', 'details', 'raw', 'xml', 'constraints', 'get'];
const CHANGES = ['grant', 'revoke', 'standby', 'activate', 'set', 'delete'];
/** What does not go together: a change may be of several things at once. */
const EXCLUSIVE: readonly ReadonlySet<string>[] = [
  new Set(['grant', 'revoke']),
  new Set(['standby', 'activate']),
  ...CHANGES.map((change) => new Set([...QUESTIONS, 'cleanup', change])),
];

/** `crm_ticket`: shows tickets, and what is known of them; grants, revokes, and the rest. */
export async function crmTicket(call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> {
  const parsed = parseArguments(call.args, OPTIONS);
  const { options } = parsed;
  for (const commands of EXCLUSIVE) refuseSeveral(OPTIONS, parsed, commands);
  if (options['get'] !== undefined) return attribute(ticketNamed(parsed), options['get'], options['default'], await cluster.cib());
  const shown = (['info', 'details', 'raw', 'xml', 'constraints'] as const).find((name) => options[name] !== undefined);
  if (shown !== undefined) return show(shown, options['ticket'], await cluster.cib());
  return write(parsed, call, cluster);
}

async function write(parsed: ParsedArguments, call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> {
  const { options } = parsed;
  const ticket = ticketNamed(parsed);
  const isForced = options['force'] !== undefined;
  if (options['cleanup'] !== undefined) return cleanUp(ticket, isForced, call, cluster);
  const attributes = {
    ...(options['delete'] === undefined ? {} : { [options['delete']]: null }),
    ...(options['set'] === undefined ? {} : { [options['set']]: valueGiven(options['value']) }),
  };
  const { granted: grantedByHand, standby: standbyByHand, ...others } = attributes;
  const granted = options['grant'] !== undefined ? true : options['revoke'] !== undefined ? false : flagOf(grantedByHand);
  const standby = options['standby'] !== undefined ? true : options['activate'] !== undefined ? false : flagOf(standbyByHand);
  if (granted !== undefined && !isForced) return refuseUnforced(ticket, granted);
  const change = {
    ...(granted === undefined ? {} : { granted }),
    ...(standby === undefined ? {} : { standby }),
    ...(Object.keys(others).length === 0 ? {} : { attributes: others }),
  };
  if (Object.keys(change).length === 0) throw new ToolFailure(EXIT.USAGE, 'one of -g -r -s -a -G -S -D -C -l -L -w -q -c is needed');
  await cluster.request({ ask: 'change-ticket', ticket, ...change }, callerOf(call));
  return OK;
}

/** What is deleted of these two is not so. */
function flagOf(written: string | null | undefined): boolean | undefined {
  if (written === undefined) return undefined;
  if (written === null) return false;
  const is = parseBoolean(written);
  if (is === undefined) throw new ToolFailure(EXIT.USAGE, `that is true or false, not ${written}`);
  return is;
}

async function cleanUp(ticket: string, isForced: boolean, call: ToolCall, cluster: ClusterConnection): Promise<ToolResult> {
  const known = statesIn(await cluster.cib()).find(({ attributes }) => attributes['id'] === ticket);
  if (known === undefined) throw new ToolFailure(EXIT.NO_SUCH, `No such ticket '${ticket}'`);
  const isGranted = parseBoolean(known.attributes['granted']) === true;
  if (isGranted && !isForced) return refuseUnforced(ticket, false);
  if (isGranted) await cluster.request({ ask: 'change-ticket', ticket, granted: false }, callerOf(call));
  await cluster.request({ ask: 'forget-ticket', ticket }, callerOf(call));
  return said(`Cleaned up ${ticket}\n`);
}

/** Nobody here knows what other sites have granted, and what depends on a ticket stops without it. */
function refuseUnforced(ticket: string, granted: boolean): ToolResult {
  const why = granted
    ? `Nothing here tells whether '${ticket}' is granted to another site.`
    : `What depends on '${ticket}' may be stopped, or its nodes fenced: see crm_ticket --ticket ${ticket} --constraints.\nTo have it stopped in order before: crm_ticket --ticket ${ticket} --standby`;
  const stderr = `crm_ticket: Ticket modification not allowed\n${why}\nIf it is meant: --force.\n`;
  return { stdout: '', stderr, exitCode: WRITE_EXIT.INSUFFICIENT };
}

function ticketNamed({ options }: ParsedArguments): string {
  const { ticket } = options;
  if (ticket === undefined || ticket === '') throw new ToolFailure(EXIT.USAGE, 'Must supply ticket ID with -t');
  return ticket;
}

function valueGiven(text: string | undefined): string {
  if (text === undefined) throw new ToolFailure(EXIT.USAGE, 'Must supply attribute value with -v for set attribute');
  return text;
}

function attribute(ticket: string, name: string, fallback: string | undefined, cib: string): ToolResult {
  const state = statesIn(cib).find(({ attributes }) => attributes['id'] === ticket);
  const found = state?.attributes[name] ?? fallback;
  return found === undefined ? { stdout: '', stderr: '', exitCode: EXIT.NO_SUCH } : said(`${found}\n`);
}

function statesIn(cib: string): readonly XmlElement[] {
  const status = firstChildNamed(parseXml(cib), 'status');
  const tickets = status && firstChildNamed(status, 'tickets');
  return tickets === undefined ? [] : childrenNamed(tickets, 'ticket_state');
}

function show(what: 'info' | 'details' | 'raw' | 'xml' | 'constraints', ticket: string | undefined, cib: string): ToolResult {
  if (what === 'constraints') return said(constraintsOf(ticket, cib));
  const states = statesIn(cib).filter(({ attributes }) => ticket === undefined || attributes['id'] === ticket);
  if (what === 'xml' && states.length === 0) throw new ToolFailure(EXIT.NO_SUCH, 'Could not query ticket XML: No such device or address');
  if (ticket !== undefined && states.length === 0) throw new ToolFailure(EXIT.NO_SUCH, `No such ticket '${ticket}'`);
  switch (what) {
    case 'xml':
      return said(`State XML:\n\n${states.map((state) => serializeXml(state)).join('')}`);
    case 'raw':
      return said(states.map(({ attributes }) => `${attributes['id'] ?? ''}\n`).join(''));
    case 'info':
    case 'details':
      return said(states.map((state) => lineOf(state, what === 'details')).join(''));
  }
}

function constraintsOf(ticket: string | undefined, cib: string): string {
  const configuration = firstChildNamed(parseXml(cib), 'configuration');
  const constraints = configuration && firstChildNamed(configuration, 'constraints');
  const found = (constraints === undefined ? [] : childElements(constraints)).filter(
    ({ name, attributes }) => name === 'rsc_ticket' && (ticket === undefined || attributes['ticket'] === ticket),
  );
  if (found.length === 0) throw new ToolFailure(EXIT.NO_SUCH, 'Could not show ticket constraints: No such device or address');
  return `Constraints XML:\n\n${found.map((one) => serializeXml(one)).join('')}`;
}

function lineOf({ attributes }: XmlElement, details: boolean): string {
  const { id = '', granted, standby, 'last-granted': lastGranted, ...others } = attributes;
  const is = parseBoolean(granted) === true ? 'granted' : 'revoked';
  const pause = parseBoolean(standby) === true ? ' [standby]' : details ? '' : '          ';
  const since = lastGranted === undefined ? undefined : `last-granted='${ctime(Number(lastGranted))}'`;
  if (!details) return `${id}\t${is}${pause}${since === undefined ? '' : ` ${since}`}\n`;
  const parts = [
    ...(granted === undefined ? [] : [`granted=${granted}`]),
    ...(standby === undefined ? [] : [`standby=${standby}`]),
    ...(since === undefined ? [] : [since]),
    ...Object.entries(others).map(([name, text]) => `${name}=${text}`),
  ];
  return `${id}\t${is}${pause} (${parts.join(', ')})\n`;
}
