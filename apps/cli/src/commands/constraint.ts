import { banId, parseRole, preferId } from '@systole/cib';
import type { Command } from 'commander';
import { readWhole, type Fields } from '../configuration/requests.js';
import { UsageError } from '../exit-code.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { outputOption, showPart } from './config.js';
import { editing, given, type Plan } from './edit-command.js';
import { deletions } from './elements.js';

interface IdFlags {
  readonly id?: string;
}

interface RoleFlags extends IdFlags {
  readonly role?: string;
}

interface ColocationFlags extends RoleFlags {
  readonly withRole?: string;
  readonly influence?: string;
}

interface OrderFlags extends IdFlags {
  readonly kind?: string;
  readonly firstAction?: string;
  readonly thenAction?: string;
  readonly symmetrical?: string;
}

interface TicketFlags extends RoleFlags {
  readonly lossPolicy?: string;
}

const ID = 'its id; made of what it is about when left out';

/** Constraints; those with sets and rules are made by "create" with a file, and by "config edit". */
export function addConstraintCommands(program: Command, surroundings: Surroundings): void {
  const constraint = program.command('constraint').description('where resources may run, together, in which order, and with which ticket');
  addListAndDelete(constraint, 'constraint', surroundings);

  const location = constraint.command('location').description('on which nodes resources run');
  editing<RoleFlags>(
    location.command('add <resource> <node> [score]').allowUnknownOption(),
    surroundings,
    ({ session, flags: { id, role }, operands: [rsc = '', node = '', score] }) =>
      planLocation(session, { id, rsc, node, score: scoreOf(score), role }),
  )
    .description(
      'prefer a node (a positive score), avoid it (-1000), or never run there (-INFINITY); INFINITY when no score is given; in place of what was said of the resource and this node before',
    )
    .option('--role <role>', 'for instances in this role only, e.g. Promoted')
    .option('--id <id>', ID);
  addListAndDelete(location, 'location', surroundings);

  const colocation = constraint.command('colocation').description('which resources run on the same node, or not');
  editing<ColocationFlags>(
    colocation.command('add <resource> <with> [score]').allowUnknownOption(),
    surroundings,
    ({ flags: { id, role, withRole, influence }, operands: [rsc, other, score] }) =>
      create('rsc_colocation', {
        id,
        rsc,
        'with-rsc': other,
        score: scoreOf(score),
        'rsc-role': role,
        'with-rsc-role': withRole,
        influence,
      }),
  )
    .description('run a resource where another one runs, or (with a negative score) where it does not; INFINITY when no score is given')
    .option('--role <role>', 'of the resource, e.g. Started or Promoted')
    .option('--with-role <role>', 'of the other one')
    .option('--influence <boolean>', 'whether the resource decides where the other one runs')
    .option('--id <id>', ID);
  addListAndDelete(colocation, 'colocation', surroundings);

  const order = constraint.command('order').description('in which order resources start and stop');
  editing<OrderFlags>(order.command('add <first> <then>'), surroundings, ({ flags, operands: [first, then] }) =>
    create('rsc_order', {
      ...{ id: flags.id, first, then, kind: flags.kind },
      ...{ 'first-action': flags.firstAction, 'then-action': flags.thenAction, symmetrical: flags.symmetrical },
    }),
  )
    .description('start a resource before another one, and stop it after that')
    .option('--kind <kind>', 'Mandatory, Optional or Serialize')
    .option('--first-action <action>', 'start, stop, promote or demote of the first')
    .option('--then-action <action>', 'of the second')
    .option('--symmetrical <boolean>', 'whether it holds the other way round for stopping')
    .option('--id <id>', ID);
  addListAndDelete(order, 'order', surroundings);

  const ticket = constraint.command('ticket').description('which resources need a ticket');
  editing<TicketFlags>(
    ticket.command('add <ticket> <resource>'),
    surroundings,
    ({ flags: { id, role, lossPolicy }, operands: [name, rsc] }) =>
      create('rsc_ticket', { id, ticket: name, rsc, 'rsc-role': role, 'loss-policy': lossPolicy }),
  )
    .description('let a resource run here only while the ticket is granted')
    .option('--role <role>', 'for this role only, e.g. Promoted')
    .option('--loss-policy <policy>', 'what becomes of it without the ticket: stop, demote, fence or freeze')
    .option('--id <id>', ID);
  addListAndDelete(ticket, 'ticket', surroundings);
}

interface Location {
  readonly id: string | undefined;
  readonly rsc: string;
  readonly node: string;
  readonly score: string;
  readonly role: string | undefined;
}

/** What says of a resource and a node nothing but a score, and of which role. */
const PLAIN: ReadonlySet<string> = new Set(['element', 'id', 'rsc', 'node', 'score', 'role']);

/** Two scores for one node would add up: as with pcs the later one counts. What moves and bans leave behind is theirs. */
async function planLocation(session: Session, { id, ...wanted }: Location): Promise<Plan> {
  const { value, tag } = await readWhole(session);
  const earlier = ((value['constraints'] ?? []) as readonly Fields[]).filter((one) => isInTheWay(one, wanted));
  const made = create('rsc_location', { id, ...wanted });
  const [only, ...more] = earlier;
  if (only === undefined) return made;
  if (more.length === 0 && only['score'] === wanted.score && (id === undefined || only['id'] === id)) {
    return { edits: [{ edit: 'replace', collection: 'constraints', id: String(only['id']), element: only }], tag };
  }
  const replaced = earlier.map((one) => `${String(one['id'])}, with the score ${String(one['score'])}`).join('; ');
  return {
    edits: [
      ...deletions(
        'location',
        earlier.map(({ id: one }) => String(one)),
        undefined,
      ),
      ...made.edits,
    ],
    tag,
    notes: [`In place of ${replaced}: scores for one node would add up`],
  };
}

function isInTheWay(constraint: Fields, { rsc, node, role }: Pick<Location, 'rsc' | 'node' | 'role'>): boolean {
  const isPlain = constraint['element'] === 'rsc_location' && Object.keys(constraint).every((field) => PLAIN.has(field));
  const isSame = constraint['rsc'] === rsc && constraint['node'] === node && roleIn(constraint['role']) === roleIn(role);
  return isPlain && isSame && constraint['id'] !== preferId(rsc) && constraint['id'] !== banId(rsc, node);
}

function roleIn(role: unknown): unknown {
  return typeof role === 'string' ? (parseRole(role) ?? role) : undefined;
}

/** A score; `-INFINITY` looks like an option, so that commands which take one leave it to this to tell what is none. @throws {UsageError} */
function scoreOf(word = 'INFINITY'): string {
  if (/^[+-]?(?:INFINITY|\d{1,7})$/.test(word)) return word;
  throw new UsageError(`"${word}" is neither a score (a whole number, INFINITY or -INFINITY) nor an option: see --help`);
}

function create(element: string, fields: Readonly<Record<string, string | undefined>>) {
  return { edits: [{ edit: 'create', collection: 'constraints', element: { element, ...given(fields) } }] } as const;
}

function addListAndDelete(parent: Command, kind: string, surroundings: Surroundings): void {
  parent
    .command('list')
    .description(`list the ${kind === 'constraint' ? 'constraints' : `constraints of this kind`}, with their ids`)
    .addOption(outputOption())
    .action(
      inSession<{ readonly output?: 'text' }>(surroundings, async (session, flags) => {
        await showPart(session, flags, kind, undefined);
      }),
    );
  editing<{ readonly cascade?: boolean }>(parent.command('delete <ids...>'), surroundings, ({ flags, operands }) => ({
    edits: deletions(kind, operands, flags.cascade),
  }))
    .description('delete constraints')
    .option('--cascade', 'take along what refers to them');
}
