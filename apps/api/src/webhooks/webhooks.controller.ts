import { randomUUID, X509Certificate } from 'node:crypto';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { OperatorPrincipal } from '@systole/access';
import type { ClusterEvent } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import {
  AddressPolicy,
  mistakeIn,
  MOST_WEBHOOKS,
  Webhooks,
  type WebhookChange,
  type WebhookChanger,
  type WebhookWithProgress,
} from '@systole/webhooks';
import type { Request, Response } from 'express';
import { ClusterLookup } from '../reads/cluster-lookup.js';
import { DEFAULT_PAGE, pageOf } from '../http/page.js';
import { refuseWhatIsThere } from '../http/conditions.js';
import { HttpProblem } from '../http/problem.js';
import { correlationId } from '../http/request-context.js';
import { requestId } from '../idempotency/idempotency.interceptor.js';
import { WorkerSignal } from '../lifecycle/worker-signal.js';
import { ApiProblems } from '../openapi/responses.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { because, ReasonBody } from '../writes/reason-body.js';
import { Write } from '../writes/write.js';
import { deliveryDto, webhookDto, webhookPreview } from './webhook-views.js';
import {
  ChangeWebhookBody,
  CreateWebhookBody,
  DeleteWebhookQuery,
  WebhookAskPreviewDto,
  WebhookAskQuery,
  WebhookDeliveryDto,
  WebhookDeliveryListDto,
  WebhookDto,
  WebhookListDto,
  WebhookPageQuery,
  WebhookPreviewDto,
  WebhookWithSecretDto,
  WebhookWriteQuery,
} from './webhooks.dto.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whom events are sent to. */
@ApiTags('webhooks')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly policy: AddressPolicy,
    private readonly lookup: ClusterLookup,
    private readonly store: EventStore<ClusterEvent>,
    private readonly worker: WorkerSignal,
  ) {}

  @Post()
  @Write({
    operationId: 'createWebhook',
    summary: 'Make a webhook; its secret is shown this once',
    description:
      'Events that fit are posted to it by the workers, each at least once, those of a cluster in their order, signed as Standard Webhooks has it. What can not be delivered is tried again for days; then the webhook is disabled.',
    restsOn: 'none',
    answer: { status: 201, type: WebhookWithSecretDto },
    dryRun: WebhookPreviewDto,
    refusals: [404],
  })
  async create(
    @Query() query: WebhookWriteQuery,
    @Body() body: CreateWebhookBody,
    @Asking() { operator, request, response }: AskedBy,
  ): Promise<WebhookWithSecretDto | WebhookPreviewDto> {
    const chosen = await this.#chosen(body);
    const draft = {
      ...{
        clusters: null,
        audit: false,
        types: null,
        subjects: null,
        actor: null,
        severity: 'any' as const,
        authorities: null,
        enabled: true,
      },
      ...chosen,
      ...{ name: body.name, url: body.url },
    };
    if (query.dryRun === true) {
      if (await this.webhooks.isNameTaken(body.name)) throw nameTaken(body.name);
      response.status(200);
      return webhookPreview(draft);
    }
    const id = requestId(request) ?? randomUUID();
    const made = await this.webhooks.create(id, draft, changer(operator, request, body));
    if (made === 'made-before') throw madeBefore(id);
    if (made === 'name-taken') throw nameTaken(body.name);
    if (made === 'too-many') {
      throw new HttpProblem(409, 'too-many-webhooks', `there are ${String(MOST_WEBHOOKS)} webhooks, which is the most: delete one first`);
    }
    this.worker.webhook(id);
    response.set('location', `/v1/webhooks/${id}`);
    return { ...webhookDto(made), secret: made.secret };
  }

  @Get()
  @ApiOperation({
    operationId: 'listWebhooks',
    summary: 'List the webhooks',
    description: 'In the order of their names, with how far each has got. Secrets are shown to nobody.',
  })
  @ApiOkResponse({ type: WebhookListDto })
  @ApiProblems(400)
  async list(@Query() query: WebhookPageQuery): Promise<WebhookListDto> {
    const { limit = DEFAULT_PAGE, cursor } = query;
    const read = await this.webhooks.list({ limit: limit + 1, ...(cursor === undefined ? {} : { afterName: cursor }) });
    const page = pageOf(read, limit, ({ webhook }) => webhook.name);
    const behind = await this.webhooks.allBehind(page.items);
    return { ...page, items: page.items.map((item, index) => webhookDto(item, behind[index])) };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getWebhook', summary: 'Get a webhook', description: 'With how far it has got, and what goes wrong.' })
  @ApiOkResponse({ type: WebhookDto })
  @ApiProblems(404)
  async get(@Param('id') id: string): Promise<WebhookDto> {
    const found = await this.#find(id);
    return webhookDto(found, await this.webhooks.behind(found));
  }

  @Patch(':id')
  @Write({
    operationId: 'changeWebhook',
    summary: 'Change a webhook',
    description:
      'What is left out stays. What is being sent at the moment may still go by what was before. A webhook that was changed is tried at once.',
    restsOn: 'none',
    answer: { schema: { oneOf: [{ $ref: '#/components/schemas/WebhookDto' }, { $ref: '#/components/schemas/WebhookPreviewDto' }] } },
  })
  async change(
    @Param('id') id: string,
    @Query() query: WebhookWriteQuery,
    @Body() body: ChangeWebhookBody,
    @Asking() { operator, request }: AskedBy,
  ): Promise<WebhookDto | WebhookPreviewDto> {
    const { webhook } = await this.#find(id);
    refuseWhatIsThere(request);
    const change = await this.#chosen(body);
    if (query.dryRun === true) {
      if (body.name !== undefined && body.name !== webhook.name && (await this.webhooks.isNameTaken(body.name))) throw nameTaken(body.name);
      return webhookPreview(webhook, change);
    }
    const changed = await this.webhooks.change(id, change, changer(operator, request, body));
    if (changed === undefined) throw webhookNotFound(id);
    if (changed === 'name-taken') throw nameTaken(body.name ?? '');
    this.worker.webhook(id);
    return webhookDto(changed);
  }

  @Delete(':id')
  @Write({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'With the log of its deliveries. That it was there stays in the audit.',
    restsOn: 'none',
    answer: { status: 204 },
    dryRun: WebhookPreviewDto,
  })
  async remove(
    @Param('id') id: string,
    @Query() query: DeleteWebhookQuery,
    @Asking() { operator, request, response }: AskedBy,
  ): Promise<WebhookPreviewDto | undefined> {
    const { webhook } = await this.#find(id);
    refuseWhatIsThere(request);
    if (query.dryRun === true) {
      response.status(200);
      return webhookPreview(webhook);
    }
    const removed = await this.webhooks.remove(id, changer(operator, request, query));
    if (removed === undefined) throw webhookNotFound(id);
    return undefined;
  }

  @Post(':id/rotate-secret')
  @Write({
    operationId: 'rotateWebhookSecret',
    summary: 'Give a webhook a new secret, shown this once',
    description: 'For 24 hours messages are signed with the one before, too, so that the receiver can change over without missing any.',
    restsOn: 'none',
    answer: {
      schema: { oneOf: [{ $ref: '#/components/schemas/WebhookWithSecretDto' }, { $ref: '#/components/schemas/WebhookPreviewDto' }] },
    },
  })
  async rotate(
    @Param('id') id: string,
    @Query() query: WebhookWriteQuery,
    @Body() body: ReasonBody,
    @Asking() { operator, request }: AskedBy,
  ): Promise<WebhookWithSecretDto | WebhookPreviewDto> {
    const { webhook } = await this.#find(id);
    if (query.dryRun === true) return webhookPreview(webhook);
    const rotated = await this.webhooks.rotateSecret(id, changer(operator, request, body));
    if (rotated === undefined) throw webhookNotFound(id);
    return { ...webhookDto(rotated), secret: rotated.secret };
  }

  @Post(':id/test')
  @Write({
    operationId: 'testWebhook',
    summary: 'Try whether the receiver answers',
    description:
      'A worker sends a message of the type `WebhookTest`, once, also to a webhook that is disabled. What became of it is read at its delivery.',
    restsOn: 'none',
    answer: { status: 202, type: WebhookDeliveryDto },
    dryRun: WebhookAskPreviewDto,
  })
  async test(
    @Param('id') id: string,
    @Query() query: WebhookAskQuery,
    @Body() _: ReasonBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookDeliveryDto | WebhookAskPreviewDto> {
    await this.#find(id);
    if (query.dryRun === true) return tried(response);
    const asked = await this.webhooks.ask(id);
    this.worker.webhook(id);
    return deliveryDto(asked);
  }

  @Get(':id/deliveries')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List the attempts to deliver to a webhook',
    description: 'Newest first, each attempt by itself; kept for some days (SYSTOLE_KEEP_DELIVERIES_DAYS of the workers).',
  })
  @ApiOkResponse({ type: WebhookDeliveryListDto })
  @ApiProblems(400, 404)
  async deliveries(@Param('id') id: string, @Query() query: WebhookPageQuery): Promise<WebhookDeliveryListDto> {
    await this.#find(id);
    const { limit = DEFAULT_PAGE, cursor } = query;
    if (cursor !== undefined && !UUID.test(cursor)) {
      const detail = 'is no cursor of this list: take `next` of the previous page';
      throw new HttpProblem(400, 'invalid-parameter', `cursor ${detail}`, { errors: [{ parameter: 'cursor', detail }] });
    }
    const read = await this.webhooks.deliveries(id, { limit: limit + 1, ...(cursor === undefined ? {} : { before: cursor }) });
    const page = pageOf(read, limit, (last) => last.id);
    return { ...page, items: page.items.map(deliveryDto) };
  }

  @Get(':id/deliveries/:delivery')
  @ApiOperation({
    operationId: 'getWebhookDelivery',
    summary: 'Get an attempt to deliver',
    description: 'Also one that is still to be made.',
  })
  @ApiOkResponse({ type: WebhookDeliveryDto })
  @ApiProblems(404)
  async delivery(@Param('id') id: string, @Param('delivery') delivery: string): Promise<WebhookDeliveryDto> {
    return deliveryDto(await this.#findDelivery(id, delivery));
  }

  @Post(':id/deliveries/:delivery/redeliver')
  @Write({
    operationId: 'redeliverWebhook',
    summary: 'Send the event of an earlier attempt again',
    description: 'Once, with the same `webhook-id`, also to a webhook that is disabled; where it goes on is not changed by it.',
    restsOn: 'none',
    answer: { status: 202, type: WebhookDeliveryDto },
    dryRun: WebhookAskPreviewDto,
  })
  async redeliver(
    @Param('id') id: string,
    @Param('delivery') delivery: string,
    @Query() query: WebhookAskQuery,
    @Body() _: ReasonBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookDeliveryDto | WebhookAskPreviewDto> {
    const earlier = await this.#findDelivery(id, delivery);
    if (query.dryRun === true) return tried(response);
    const asked = await this.webhooks.ask(id, earlier.kind === 'test' ? undefined : earlier);
    this.worker.webhook(id);
    return deliveryDto(asked);
  }

  async #find(id: string): Promise<WebhookWithProgress> {
    const found = UUID.test(id) ? await this.webhooks.get(id) : undefined;
    if (found === undefined) throw webhookNotFound(id);
    return found;
  }

  async #findDelivery(id: string, delivery: string) {
    await this.#find(id);
    const found = UUID.test(delivery) ? await this.webhooks.delivery(id, delivery) : null;
    if (found === null)
      throw new HttpProblem(404, 'delivery-not-found', `the webhook has no delivery ${delivery.slice(0, 80)}, or no longer`);
    return found;
  }

  /** What a body chooses, checked. @throws {HttpProblem} 404 for clusters that are not there, 422 */
  async #chosen(body: ChangeWebhookBody): Promise<WebhookChange> {
    const { name, url, clusters, audit, types, subjects, actor, severity, authorities, enabled, after } = body;
    const mistake = url === undefined ? undefined : mistakeIn(url, this.policy);
    if (mistake !== undefined) throw invalid('/url', mistake);
    if (authorities !== undefined && authorities !== '' && !areCertificates(authorities))
      throw invalid('/authorities', 'holds no certificate in PEM');
    if (subjects?.some((subject) => subject === '') === true) throw invalid('/subjects', 'must hold texts of at least 1 character');
    if (after !== undefined && after > 0 && (await this.store.hashAtPosition(after)) === undefined) {
      throw invalid('/after', 'must be the global position of an event that there is');
    }
    const ids = clusters === undefined ? undefined : await Promise.all([...new Set(clusters)].map((one) => this.lookup.find(one)));
    return {
      ...(name === undefined ? {} : { name }),
      ...(url === undefined ? {} : { url }),
      ...(ids === undefined ? {} : { clusters: orNull(ids.map(({ id }) => id)) }),
      ...(audit === undefined ? {} : { audit }),
      ...(types === undefined ? {} : { types: orNull(types) }),
      ...(subjects === undefined ? {} : { subjects: orNull(subjects) }),
      ...(actor === undefined ? {} : { actor: actor === '' ? null : actor }),
      ...(severity === undefined ? {} : { severity }),
      ...(authorities === undefined ? {} : { authorities: authorities === '' ? null : authorities }),
      ...(enabled === undefined ? {} : { enabled }),
      ...(after === undefined ? {} : { after }),
    };
  }
}

function changer({ actor }: OperatorPrincipal, request: Request, given: { readonly reason?: string }): WebhookChanger {
  return { actor, correlationId: correlationId(request), ...because(given) };
}

function tried(response: Response): WebhookAskPreviewDto {
  response.status(200);
  return { dryRun: true };
}

/** An empty list restricts nothing. */
function orNull(list: readonly string[]): string[] | null {
  return list.length === 0 ? null : [...new Set(list)];
}

function areCertificates(pem: string): boolean {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return found.map((one) => new X509Certificate(one)).length > 0;
  } catch {
    return false;
  }
}

function invalid(pointer: string, detail: string): HttpProblem {
  return new HttpProblem(422, 'invalid-request', `${pointer} ${detail}`, { errors: [{ pointer, detail }] });
}

function webhookNotFound(id: string): HttpProblem {
  return new HttpProblem(404, 'webhook-not-found', `there is no webhook ${id.slice(0, 80)}: see GET /v1/webhooks`);
}

function nameTaken(name: string): HttpProblem {
  return new HttpProblem(409, 'webhook-name-taken', `another webhook is called ${name}`);
}

/** With an Idempotency-Key the id follows from the request: an earlier attempt made it, and its process died before it could answer. */
function madeBefore(id: string): HttpProblem {
  const detail = `this request has made the webhook ${id}, but its answer was lost, and nobody can show the secret again: give it another one with rotate-secret`;
  return new HttpProblem(409, 'webhook-made-before', detail, { extensions: { webhookId: id } });
}
