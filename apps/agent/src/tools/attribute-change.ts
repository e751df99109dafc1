import { posixPattern, unseenIn, type MatchPattern } from '@systole/cib';
import { carriableText, isCarriable, printableLine, type AttributeChange } from '@systole/protocol';
import { sumOf, wantedValue } from '../attributes/attribute-value.js';
import { ServerRefused } from '../server/server-connection.js';
import { EXIT, ToolFailure, type ToolCluster, type ToolResult } from './tool.js';

export const DONE: ToolResult = { stdout: '', stderr: '', exitCode: EXIT.OK };

/** A change of one attribute, as a tool is asked for it. */
export interface WantedChange {
  readonly name: string;
  readonly lifetime: 'forever' | 'reboot';
  /** Absent: this one. */
  readonly node?: string;
  /** undefined removes the attribute. */
  readonly update: string | undefined;
  /** In no CIB and no event log. */
  readonly isPrivate?: boolean;
  readonly delay?: NonNullable<AttributeChange['delay']>;
}

/**
 * Writes one where it belongs: what is private of this node, and was made so once, stays with this agent; everything else goes to the server.
 * @throws {ToolFailure}, and what the server's connection throws
 */
export async function writeAttribute(wanted: WantedChange, cluster: ToolCluster): Promise<void> {
  const { lifetime, node, update, delay } = wanted;
  // What was written before this was refused can be removed.
  const name = update === undefined ? carriableText(wanted.name) : attributeName(wanted.name);
  const { own } = cluster.transient;
  const other = otherNode(node, cluster);
  if (wanted.isPrivate === true && other !== undefined)
    throw new ToolFailure(EXIT.UNIMPLEMENTED, `a private attribute stays with its node: ${other} has to set it itself`);
  if (other === undefined && lifetime === 'reboot' && (wanted.isPrivate === true || own.get(name) !== undefined)) {
    if (delay?.sets !== 'only') await own.set(name, update === undefined ? undefined : privateValue(name, update, own.get(name)));
    return;
  }
  const change = {
    ...valueOf(update, name),
    name,
    lifetime,
    ...(other === undefined ? {} : { node: other }),
    ...(delay === undefined ? {} : { delay }),
  };
  await cluster.setAttributes([change]).catch((error: unknown) => {
    if (error instanceof ServerRefused && error.problemType.includes('node-not-found'))
      throw new ToolFailure(EXIT.NO_SUCH, `Could not map name=${node ?? cluster.node} to a UUID`);
    throw error;
  });
}

/** The node that was named; undefined when it is this one, or none was. */
export function otherNode(node: string | undefined, cluster: ToolCluster): string | undefined {
  return node === cluster.node || node === cluster.nodeId ? undefined : node;
}

/**
 * Names of the transient attributes of a node that a pattern finds.
 * @throws {ToolFailure} when it is none
 */
export async function namesLike(pattern: string, node: string | undefined, cluster: ToolCluster): Promise<readonly string[]> {
  const wanted = patternOf(pattern);
  const own = otherNode(node, cluster) === undefined ? cluster.transient.own.names : [];
  const told = await cluster.transient.read({ node: node ?? cluster.node });
  // What is private on another node is for that one to change.
  const known = told.filter((one) => one.private !== true);
  return [...new Set([...own, ...known.map(({ name }) => name)])].filter((name) => wanted(name) !== undefined).sort();
}

/**
 * A pattern of attribute names, as `--pattern` gives it: a POSIX extended regular expression, found anywhere in the name. Its time grows linearly, whoever asks: a loop that is held up by it would lose the node's lease.
 *
 * @throws {ToolFailure} when it is none
 */
export function patternOf(text: string): MatchPattern {
  const pattern = posixPattern(text);
  if (pattern === undefined)
    throw new ToolFailure(EXIT.USAGE, `'${text}' is no POSIX extended regular expression, or refers back to a part of itself`);
  return pattern;
}

/**
 * The name of an attribute that is to be written. A configuration with one that can't be seen as it is would have to be forced to be imported.
 * @throws {ToolFailure} for one that holds what can't be seen
 */
function attributeName(name: string): string {
  const unseen = unseenIn(name);
  if (unseen === undefined && isCarriable(name)) return name;
  const what = unseen === undefined ? 'what no text can hold' : `${unseen.character}, which can't be seen`;
  throw new ToolFailure(
    EXIT.USAGE,
    `the name '${unseen?.shown ?? printableLine(name)}' of an attribute holds ${what}: nothing was written`,
  );
}

/** @throws {ToolFailure} for a value that would be stored as another one */
function keptAsGiven(value: string, name: string): string {
  if (isCarriable(value)) return value;
  throw new ToolFailure(EXIT.USAGE, `the value of ${name} holds a character that XML can't carry (XML 1.0 §2.2): nothing was written`);
}

function valueOf(update: string | undefined, name: string): Pick<AttributeChange, 'value' | 'add'> {
  if (update === undefined) return { value: null };
  const wanted = wantedValue(update, name);
  return wanted.type === 'text' ? { value: keptAsGiven(wanted.text, name) } : { value: null, add: wanted.add };
}

function privateValue(name: string, update: string, present: string | undefined): string {
  const wanted = wantedValue(update, name);
  return wanted.type === 'text' ? keptAsGiven(wanted.text, name) : sumOf(present, wanted.add);
}
