import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { unwrap, type components } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { allPages } from '../connection.js';
import { EXIT, UsageError } from '../exit-code.js';
import { listing } from '../render/columns.js';
import { moment } from '../render/moment.js';
import { describeWebhook, renderDelivery, renderWebhook } from '../render/webhook.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { wholeNumber } from './write-options.js';

type Webhook = components['schemas']['WebhookDto'];
type Delivery = components['schemas']['WebhookDeliveryDto'];
type Choice = Omit<components['schemas']['ChangeWebhookBody'], 'name'>;

interface ChoiceFlags {
  readonly url?: string;
  readonly only?: readonly string[];
  readonly audit?: boolean;
  readonly type?: readonly string[];
  readonly subject?: readonly string[];
  readonly actor?: string;
  readonly wrong?: boolean;
  readonly receiverCa?: string;
  readonly after?: number;
  readonly reason?: string;
  readonly dryRun?: boolean;
}

interface SetFlags extends ChoiceFlags {
  readonly rename?: string;
  readonly anyCluster?: boolean;
  readonly anyType?: boolean;
  readonly anySubject?: boolean;
  readonly anyActor?: boolean;
}

interface WriteFlags {
  readonly reason?: string;
  readonly dryRun?: boolean;
}

interface DeliveriesFlags {
  readonly limit: number;
}

const DEFAULT_DELIVERIES = 50;
/** How long the result of a test is waited for, ms. */
const RESULT_WITHIN_MS = 45_000;
const LOOK_EVERY_MS = 250;

export function addWebhookCommands(program: Command, surroundings: Surroundings): void {
  const webhook = program.command('webhook').description('say whom events are sent to, and see whether they arrive');
  addWrites(webhook, surroundings);
  addReads(webhook, surroundings);
  addAttempts(webhook, surroundings);
}

function addChoice(command: Command): Command {
  return command
    .option('--only <clusters...>', 'events of these clusters only, by name or id')
    .option('--audit', "also entries of the server's audit")
    .option('--type <types...>', 'of these types only, e.g. NodeLeaseLost FencingCompleted')
    .option('--subject <subjects...>', 'about all of these only: names, or kinds and names, e.g. resource:db')
    .option('--actor <actor>', 'by this actor only, e.g. user:alice')
    .option('--wrong', 'only what tells of something wrong')
    .option('--receiver-ca <file>', 'verify the receiver by the authorities in this PEM file, and no others')
    .addOption(new Option('--after <position>', 'begin after the event with this global position (0: from the first)').argParser(position));
}

function addWriteOptions(command: Command): Command {
  return command.option('--reason <text>', 'why; kept in the audit').option('--dry-run', 'change nothing; show what it would be');
}

function addWrites(webhook: Command, surroundings: Surroundings): void {
  addWriteOptions(addChoice(webhook.command('create <name> <url>').description('make a webhook; its secret is printed, this once'))).action(
    inSession<ChoiceFlags>(surroundings, async (session, flags, [name = '', url = '']) => {
      const body = { ...(await choiceOf(flags)), name, url };
      const made = unwrap(await session.client.POST('/v1/webhooks', { body, params: dryRunOf(flags) }));
      if ('dryRun' in made) {
        session.show(made, () => [`Dry run: nothing was made. ${describeWebhook(made)}`]);
        return;
      }
      showSecret(session, made);
    }),
  );

  addWriteOptions(
    addChoice(webhook.command('set <webhook>').description('change a webhook, by name or id: what is not named stays as it is'))
      .option('--url <url>', 'where messages are posted to')
      .option('--rename <name>', 'what it is called')
      .addOption(new Option('--any-cluster', 'of all clusters').conflicts('only'))
      .addOption(new Option('--any-type', 'of all types').conflicts('type'))
      .addOption(new Option('--any-subject', 'about anything').conflicts('subject'))
      .addOption(new Option('--any-actor', 'by anybody').conflicts('actor'))
      .option('--no-audit', "without the server's audit")
      .option('--no-wrong', 'not only what tells of something wrong'),
  ).action(
    inSession<SetFlags>(surroundings, async (session, flags, [named = '']) => {
      const { rename, anyCluster, anyType, anySubject, anyActor } = flags;
      const body = {
        ...(await choiceOf(flags)),
        ...(rename === undefined ? {} : { name: rename }),
        ...(anyCluster === true ? { clusters: [] } : {}),
        ...(anyType === true ? { types: [] } : {}),
        ...(anySubject === true ? { subjects: [] } : {}),
        ...(anyActor === true ? { actor: '' } : {}),
      };
      await change(session, named, body, flags);
    }),
  );

  addWriteOptions(webhook.command('enable <webhook>').description('deliver to it again, from where it was')).action(
    inSession<WriteFlags>(surroundings, (session, flags, [named = '']) =>
      change(session, named, { enabled: true, ...because(flags) }, flags),
    ),
  );

  addWriteOptions(webhook.command('disable <webhook>').description('deliver nothing to it until it is enabled again')).action(
    inSession<WriteFlags>(surroundings, (session, flags, [named = '']) =>
      change(session, named, { enabled: false, ...because(flags) }, flags),
    ),
  );

  addWriteOptions(
    webhook.command('rotate-secret <webhook>').description('give it a new secret, which is printed; the old one signs along for 24 hours'),
  ).action(
    inSession<WriteFlags>(surroundings, async (session, flags, [named = '']) => {
      const { id } = await find(session, named);
      const params = { path: { id }, ...dryRunOf(flags) };
      const rotated = unwrap(await session.client.POST('/v1/webhooks/{id}/rotate-secret', { params, body: because(flags) }));
      if ('dryRun' in rotated) session.show(rotated, () => [`Dry run: nothing was changed. ${describeWebhook(rotated)}`]);
      else showSecret(session, rotated);
    }),
  );

  addWriteOptions(webhook.command('delete <webhook>').description('delete a webhook, with the log of its deliveries')).action(
    inSession<WriteFlags>(surroundings, async (session, flags, [named = '']) => {
      const { id, name } = await find(session, named);
      const query = { ...because(flags), ...(flags.dryRun === true ? { dryRun: true } : {}) };
      const removed = unwrap(await session.client.DELETE('/v1/webhooks/{id}', { params: { path: { id }, query } }));
      session.show(removed ?? { id }, () => [
        removed === undefined ? `Deleted ${name}.` : `Dry run: nothing was deleted. ${describeWebhook(removed)}`,
      ]);
    }),
  );
}

function addReads(webhook: Command, surroundings: Surroundings): void {
  webhook
    .command('list')
    .description('list the webhooks, and how far each has got')
    .action(
      inSession(surroundings, async (session) => {
        const items = await all(session);
        session.show({ items }, () =>
          listing(
            ['NAME', 'STATE', 'URL', 'DELIVERED', 'PROBLEM'].map((title) => session.paint('bold', title)),
            items.map(({ name, state, url, deliveredAt, lastError, disabledReason }) => [
              ...[name, state, url, deliveredAt === undefined ? '' : moment(deliveredAt), disabledReason ?? lastError ?? ''],
            ]),
            'There is no webhook.',
          ),
        );
      }),
    );

  webhook
    .command('show <webhook>')
    .description('show a webhook, by name or id')
    .action(
      inSession(surroundings, async (session, _, [named = '']) => {
        const found = await find(session, named);
        session.show(found, () => renderWebhook(found));
      }),
    );

  webhook
    .command('deliveries <webhook>')
    .description('show the newest attempts to deliver, newest first')
    .option('-n, --limit <count>', 'at most so many', wholeNumber, DEFAULT_DELIVERIES)
    .action(
      inSession<DeliveriesFlags>(surroundings, async (session, { limit }, [named = '']) => {
        const { id } = await find(session, named);
        const query = { limit: Math.min(limit, 1_000) };
        const { items } = unwrap(await session.client.GET('/v1/webhooks/{id}/deliveries', { params: { path: { id }, query } }));
        session.show({ items }, () =>
          items.length === 0 ? ['Nothing was delivered yet.'] : items.flatMap((item) => renderDelivery(item, session.paint)),
        );
      }),
    );
}

function addAttempts(webhook: Command, surroundings: Surroundings): void {
  webhook
    .command('test <webhook>')
    .description('send a message that only tries the receiver, and show what became of it')
    .option('--dry-run', 'send nothing; only say whether it could be asked for')
    .action(
      inSession<WriteFlags>(surroundings, async (session, flags, [named = '']) => {
        const { id } = await find(session, named);
        const asked = unwrap(
          await session.client.POST('/v1/webhooks/{id}/test', { params: { path: { id }, ...dryRunOf(flags) }, body: {} }),
        );
        await showAttempt(session, id, asked);
      }),
    );

  webhook
    .command('redeliver <webhook> <delivery>')
    .description('send the event of an earlier attempt again, and show what became of it')
    .option('--dry-run', 'send nothing; only say whether it could be asked for')
    .action(
      inSession<WriteFlags>(surroundings, async (session, flags, [named = '', delivery = '']) => {
        const { id } = await find(session, named);
        const params = { path: { id, delivery }, ...dryRunOf(flags) };
        const asked = unwrap(await session.client.POST('/v1/webhooks/{id}/deliveries/{delivery}/redeliver', { params, body: {} }));
        await showAttempt(session, id, asked);
      }),
    );
}

/** A commander parser: a whole number from 0. */
function position(text: string): number {
  return text === '0' ? 0 : wholeNumber(text);
}

async function choiceOf({ url, only, audit, type, subject, actor, wrong, receiverCa, after, reason }: ChoiceFlags): Promise<Choice> {
  return {
    ...(url === undefined ? {} : { url }),
    ...(only === undefined ? {} : { clusters: [...only] }),
    ...(audit === undefined ? {} : { audit }),
    ...(type === undefined ? {} : { types: [...type] as never[] }),
    ...(subject === undefined ? {} : { subjects: [...subject] }),
    ...(actor === undefined ? {} : { actor }),
    ...(wrong === undefined ? {} : { severity: wrong ? ('wrong' as const) : ('any' as const) }),
    ...(receiverCa === undefined ? {} : { authorities: await textOf(receiverCa) }),
    ...(after === undefined ? {} : { after }),
    ...(reason === undefined ? {} : { reason }),
  };
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} can not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function dryRunOf({ dryRun }: WriteFlags): { readonly query?: { readonly dryRun: true } } {
  return dryRun === true ? { query: { dryRun } } : {};
}

function because({ reason }: WriteFlags): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}

async function change(session: Session, named: string, body: Choice & { readonly name?: string }, flags: WriteFlags): Promise<void> {
  const { id } = await find(session, named);
  const changed = unwrap(await session.client.PATCH('/v1/webhooks/{id}', { params: { path: { id }, ...dryRunOf(flags) }, body }));
  session.show(changed, () =>
    'dryRun' in changed ? [`Dry run: nothing was changed. ${describeWebhook(changed)}`] : renderWebhook(changed),
  );
}

/** The secret alone on standard output. */
function showSecret(session: Session, made: Webhook & { readonly secret?: string }): void {
  session.show(made, () => [made.secret ?? '']);
  if (!session.json) session.terminal.complain(`Webhook ${made.id}, ${describeWebhook(made)}. Its secret is shown only now.`);
}

function all({ client }: Session): Promise<readonly Webhook[]> {
  return allPages(async (page) => unwrap(await client.GET('/v1/webhooks', { params: { query: page } })));
}

/** By id or name. @throws {UsageError} */
async function find(session: Session, named: string): Promise<Webhook> {
  const found = (await all(session)).find(({ id, name }) => id === named || name === named);
  if (found === undefined) throw new UsageError(`there is no webhook ${named}: see "systole webhook list"`);
  return found;
}

/** Waits for what a worker makes of it. */
async function showAttempt(session: Session, id: string, asked: Delivery | { readonly dryRun: true }): Promise<void> {
  if ('dryRun' in asked) {
    session.show(asked, () => ['Dry run: nothing was sent.']);
    return;
  }
  const until = performance.now() + RESULT_WITHIN_MS;
  let delivery = asked;
  while (delivery.outcome === 'waiting' && performance.now() < until) {
    await sleep(LOOK_EVERY_MS);
    const params = { path: { id, delivery: asked.id } };
    delivery = unwrap(await session.client.GET('/v1/webhooks/{id}/deliveries/{delivery}', { params }));
  }
  session.show(delivery, () => renderDelivery(delivery, session.paint));
  if (delivery.outcome === 'waiting') session.terminal.complain('No worker has made it yet: is one running? It is made when one does.');
  if (delivery.outcome !== 'delivered') session.end(EXIT.failed);
}
