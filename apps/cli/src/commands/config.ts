import { Option, type Command } from 'commander';
import { COLLECTIONS, SETTINGS, type ElementEdit } from '@systole/cib';
import { ProblemError, type components } from '@systole/api-client';
import { desiredIn, withDesired } from '../configuration/desired.js';
import { editText } from '../configuration/editor.js';
import { contentOf, FORMATS, written, type FileContent, type Format } from '../configuration/file.js';
import { collectionNamed, kindNamed, type Kind } from '../configuration/kinds.js';
import { partOf, xmlPartOf } from '../configuration/part.js';
import {
  differences,
  edit,
  findElement,
  readElement,
  readElementXml,
  readKind,
  readWhole,
  readWholeXml,
  replaceWhole,
  type EditFlags,
  type Fields,
  type Read,
  type SecretsShown,
} from '../configuration/requests.js';
import { UsageError } from '../exit-code.js';
import { renderChanges } from '../render/changes.js';
import { renderConfiguration, renderElement } from '../render/configuration.js';
import { showDocument, showJson, type Session, type Surroundings, inSession } from '../session.js';
import { importDocument } from './cib.js';
import { readDocument } from './cluster.js';
import { confirm } from './confirmation.js';
import { atOption } from './at-option.js';
import { secretsOption } from './secrets-option.js';
import { addConfigurationWriteOptions, showWriteResult } from './write-options.js';

interface ShowFlags {
  readonly at?: string;
  readonly output?: Format | 'text';
  readonly secrets?: 'clear';
}

interface FormatFlags extends EditFlags {
  readonly format: Format;
  readonly yes?: boolean;
}

interface ApplyFlags extends EditFlags {
  readonly prune?: boolean;
}

interface DiffFlags {
  readonly from?: string;
  readonly to?: string;
  readonly prune?: boolean;
}

type WriteResult = components['schemas']['WriteResultDto'];

const PRUNE = 'delete what the collections in the file hold besides';

/** `--output` of what shows parts of a configuration. */
export function outputOption(): Option {
  return new Option('--output <format>', 'how it is shown').choices(['text', ...FORMATS]);
}

export function addConfigCommands(program: Command, surroundings: Surroundings): void {
  const config = program.command('config').description('show, edit and compare the configuration');

  config
    .command('show [kind] [id]')
    .description(
      'show the configuration, or what is of a kind (e.g. resources, constraints, primitive, location, properties), or one element',
    )
    .addOption(outputOption())
    .addOption(atOption())
    .addOption(secretsOption())
    .action(inSession<ShowFlags>(surroundings, (session, flags, [kind, id]) => showPart(session, flags, kind, id)));

  addConfigurationWriteOptions(config.command('edit [kind] [id]'))
    .description(
      'edit the configuration, or one element, in your editor (VISUAL, EDITOR); refused when somebody else has changed it meanwhile',
    )
    .addOption(new Option('--format <format>', 'what is edited').choices(FORMATS).default('yaml'))
    .option('-y, --yes', 'do not ask before the change is made')
    .action(inSession<FormatFlags>(surroundings, (session, flags, [kind, id]) => editPart(session, flags, kind, id)));

  addConfigurationWriteOptions(config.command('apply <file>'))
    .description(
      'make the elements of a file (YAML, JSON or XML; - for standard input) what it says, as one event; what it does not name stays',
    )
    .option('--prune', PRUNE)
    .action(
      inSession<ApplyFlags>(surroundings, async (session, flags, [file = '']) => {
        await applyFile(session, file, flags);
      }),
    );

  config
    .command('diff [file]')
    .description('show what applying a file would change, or what was changed between two versions or times')
    .option('--from <when>', 'from this version of the cluster, date and time, or age, e.g. 30m')
    .option('--to <when>', 'to this one, as --from; now when left out')
    .option('--prune', PRUNE)
    .action(
      inSession<DiffFlags>(surroundings, async (session, { from, to, prune }, [file]) => {
        if (file !== undefined && from === undefined && to === undefined) {
          await applyFile(session, file, { dryRun: true, ...(prune === undefined ? {} : { prune }) });
          return;
        }
        if (file !== undefined || from === undefined) throw new UsageError('give either a file, or --from <when>');
        const changes = await differences(session, from, to);
        session.show({ changes }, () => (changes.length === 0 ? ['Nothing is different.'] : renderChanges(changes, session.paint)));
      }),
    );
}

/** Shows a part of the configuration. @throws {UsageError} for a kind that there is not */
export async function showPart(
  session: Session,
  { at, output, secrets }: ShowFlags,
  kindWord: string | undefined,
  id: string | undefined,
): Promise<void> {
  const format = output ?? (session.json ? 'json' : 'text');
  if (id !== undefined && kindWord !== undefined) {
    const { collection } = collectionNamed(kindWord);
    if (at !== undefined) throw new UsageError('--at is for the configuration or a kind: leave the id out');
    if (format === 'xml') showDocument(session, (await readElementXml(session, collection, id, secrets)).value);
    else {
      const { value } = await readElement(session, collection, id, secrets);
      showAs(session, value, format, () => renderElement(value, session.paint));
    }
    return;
  }
  const asked = { ...(at === undefined ? {} : { at }), ...(secrets === undefined ? {} : { secrets }), output: format };
  await showParts(session, asked, kindWord === undefined ? [] : [kindWord]);
}

/** Shows all that is of some kinds; of none the whole. @throws {UsageError} for a kind that there is not */
export async function showParts(session: Session, { at, output, secrets }: ShowFlags, words: readonly string[]): Promise<void> {
  const format = output ?? (session.json ? 'json' : 'text');
  const kinds = words.map(kindNamed);
  if (format === 'xml') {
    const { value } = await readWholeXml(session, at, secrets);
    showDocument(session, kinds.length === 0 ? value : kinds.map((kind) => xmlPartOf(value, kind)).join(''));
    return;
  }
  if (format === 'json' && kinds.length > 0) {
    showJson(session, await answerOf(session, kinds, at, secrets));
    return;
  }
  const { value: whole } = await readWhole(session, at, secrets);
  const part = kinds.length === 0 ? whole : (Object.assign({}, ...kinds.map((kind) => partOf(whole, kind))) as Fields);
  showAs(session, part, format, () => renderConfiguration(part, session.paint));
}

/** Of several kinds the items of all. */
async function answerOf(session: Session, kinds: readonly Kind[], at: string | undefined, secrets: SecretsShown): Promise<Fields> {
  const answers: Fields[] = [];
  for (const kind of kinds) answers.push(await readKind(session, kind, at, secrets));
  const [only] = answers;
  return only !== undefined && answers.length === 1
    ? only
    : { items: answers.flatMap(({ items }) => (Array.isArray(items) ? (items as unknown[]) : [])) };
}

function showAs(session: Session, value: unknown, format: 'text' | 'yaml' | 'json', lines: () => readonly string[]): void {
  if (format === 'yaml') showDocument(session, written(value, 'yaml'));
  else if (format === 'json') showJson(session, value);
  else session.show(value, lines);
}

/** What is edited: its text, the tag of what it rests on, and how it is put back. */
interface Editing {
  readonly text: string;
  readonly tag: string | undefined;
  readonly put: (content: FileContent, flags: EditFlags) => Promise<WriteResult>;
}

async function editPart(session: Session, flags: FormatFlags, kindWord: string | undefined, id: string | undefined): Promise<void> {
  const { format } = flags;
  const editing = await partToEdit(session, format, kindWord, id);
  const file = await editText(editing.text, `configuration.${format}`, session.terminal);
  if (file.text === editing.text) {
    await file.remove();
    session.show({ events: [] }, () => ['Nothing was edited.']);
    return;
  }
  try {
    const content = contentOf(file.text, file.path);
    if (asksFirst(session, flags)) {
      showWriteResult(session, await editing.put(content, { ...flags, dryRun: true }));
      await confirm(session.terminal, 'This will be changed.', false);
    }
    showWriteResult(session, await editing.put(content, flags));
  } catch (error) {
    session.terminal.complain(`What you have edited is kept: ${file.path}`);
    if (error instanceof ProblemError && error.status === 412)
      session.terminal.complain(
        `To make it all the same: systole config apply ${file.path} (what others have changed in the same elements is lost)`,
      );
    throw error;
  }
  await file.remove();
}

/** Somebody is there to be asked, and wants to be. */
function asksFirst({ terminal, json }: Session, { yes, dryRun }: FormatFlags): boolean {
  return yes !== true && dryRun !== true && !json && 'isTTY' in terminal.stdin && terminal.stdin.isTTY === true;
}

async function partToEdit(session: Session, format: Format, kindWord: string | undefined, id: string | undefined): Promise<Editing> {
  const kind = kindWord === undefined ? undefined : kindNamed(kindWord);
  if (kindWord !== undefined && id !== undefined) return elementToEdit(session, format, kindWord, id);
  if (format === 'xml') {
    if (kind !== undefined) throw new UsageError('as XML the whole configuration or one element can be edited: give an id, or no kind');
    const { value, tag } = await readWholeXml(session);
    return { text: value, tag, put: (content, flags) => replaceWhole(session, { xml: xmlOf(content) }, flags, tag) };
  }
  const { value: whole, tag } = await readWhole(session);
  if (kind === undefined) {
    return { text: written(whole, format), tag, put: (content, flags) => replaceWhole(session, { json: fieldsOf(content) }, flags, tag) };
  }
  return {
    text: written(partOf(whole, kind), format),
    tag,
    put: (content, flags) => replaceWhole(session, { json: withPart(whole, kind, fieldsOf(content)) }, flags, tag),
  };
}

/** A configuration with an edited part in it: what was in the part and is not any more, is left out. */
function withPart(whole: Fields, kind: Kind, part: Fields): Fields {
  if ('settings' in kind) return { ...whole, [kind.settings]: part[kind.settings] ?? {} };
  const { collection, element } = kind;
  const list = (json: unknown): readonly Fields[] => (Array.isArray(json) ? (json as readonly Fields[]) : []);
  const edited = list(part[collection]);
  if (element === undefined) return { ...whole, [collection]: edited };
  const byId = new Map(edited.map((one) => [one['id'], one]));
  const kept = list(whole[collection]).flatMap((one) => {
    if (one['element'] !== element) return [one];
    const by = byId.get(one['id']);
    byId.delete(one['id']);
    return by === undefined ? [] : [by];
  });
  return { ...whole, [collection]: [...kept, ...edited.filter((one) => one['id'] === undefined || byId.has(one['id']))] };
}

async function elementToEdit(session: Session, format: Format, kindWord: string, id: string): Promise<Editing> {
  const { collection } = collectionNamed(kindWord);
  const read: Read<unknown> = format === 'xml' ? await readElementXml(session, collection, id) : await readElement(session, collection, id);
  const { tag } = read;
  return {
    text: format === 'xml' ? String(read.value) : written(read.value, format),
    tag,
    put: (content, flags) => {
      const by = content.kind === 'xml' ? { xml: content.text } : { element: content.json };
      return edit(session, [{ edit: 'replace', collection, id, ...by }], flags, tag);
    },
  };
}

function xmlOf(content: FileContent): string {
  if (content.kind === 'xml') return content.text;
  throw new UsageError('this is no XML any more');
}

function fieldsOf(content: FileContent): Fields {
  if (content.kind === 'json' && typeof content.json === 'object' && content.json !== null && !Array.isArray(content.json))
    return { ...content.json };
  throw new UsageError('the document has to be an object, by collection, as it was');
}

async function applyFile(session: Session, file: string, flags: ApplyFlags): Promise<void> {
  const content = contentOf(await readDocument(file, session.terminal), file);
  if (content.kind === 'xml') {
    showWriteResult(session, await applyXml(session, content, flags));
    return;
  }
  const { value: present, tag } = await readWhole(session);
  const wished = withDesired(present, desiredIn(content.json), flags.prune === true);
  showWriteResult(session, await replaceWhole(session, { json: wished }, flags, tag));
}

/** A whole document, or one element, or a section of options. */
async function applyXml(
  session: Session,
  { element, text }: FileContent & { readonly kind: 'xml' },
  flags: ApplyFlags,
): Promise<WriteResult> {
  if (element === 'cib') return importDocument(session, text, flags);
  if (element === 'configuration') return replaceWhole(session, { xml: text }, flags, (await readWhole(session)).tag);
  const settings = (['properties', 'rsc-defaults', 'op-defaults'] as const).find((name) => SETTINGS[name] === element);
  if (settings !== undefined) return edit(session, [{ edit: 'replace', collection: settings, xml: text }], flags);
  const found = Object.entries(COLLECTIONS).find(([, { elements }]) => (elements as readonly string[]).includes(element));
  if (found === undefined)
    throw new UsageError(`<${element}> can not be applied: give <cib>, <configuration>, one element such as <primitive>, or YAML`);
  const { collection } = collectionNamed(found[0]);
  const id = /\bid\s*=\s*["']([^"']*)["']/.exec(text)?.[1] ?? '';
  const present = await findElement(session, collection, id);
  const edits: readonly ElementEdit[] = [
    present === undefined ? { edit: 'create', collection, xml: text } : { edit: 'replace', collection, id, xml: text },
  ];
  return edit(session, edits, flags, present?.tag);
}
