import type { Command } from 'commander';
import { UsageError } from '../exit-code.js';
import { inSession, type Surroundings } from '../session.js';
import { outputOption, showPart } from './config.js';
import { editing, given } from './edit-command.js';
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
    ({ flags: { id, role }, operands: [rsc, node, score = 'INFINITY'] }) =>
      create('rsc_location', { id, rsc, node, score: scoreOf(score), role }),
  )
    .description('prefer a node (a positive score), avoid it (-1000), or never run there (-INFINITY); INFINITY when no score is given')
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
