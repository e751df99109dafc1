import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { OperatorPrincipal } from '@systole/access';
import { ANY_ELEMENT, childElements, COLLECTION_NAMES, COLLECTIONS, elementsOf, parseXml, showPlaced } from '@systole/cib';
import type { Request, Response } from 'express';
import { Operator } from '../access/access.guard.js';
import { beginAfter, DEFAULT_PAGE, pageOf, placeCursor } from '../http/page.js';
import { ApiRevalidated } from '../http/revalidation.js';
import { ApiProblems } from '../openapi/responses.js';
import { schemaPath } from '../openapi/schema-path.js';
import { Asking, type AskedBy } from '../writes/asking.js';
import { WriteResultDto } from '../writes/write.dto.js';
import { Write } from '../writes/write.js';
import { clearFor, collectionNamed, ConfigurationReads, sendElement } from './configuration-reads.js';
import { ConfigurationWrites, elementIn } from './configuration-writes.js';
import {
  CreateElementQuery,
  DeleteElementQuery,
  ElementListDto,
  ListElementsQuery,
  MoveElementBody,
  ReadParametersQuery,
  WriteConfigurationQuery,
} from './configuration.dto.js';
import { ApiPatchBody, patchIn } from './patch-body.js';

const ELEMENT = { $ref: schemaPath(ANY_ELEMENT) };

/** The configuration by element: one form, the same verbs and fields for everything in it. */
@ApiTags('configuration')
@ApiParam({ name: 'collection', enum: [...COLLECTION_NAMES], description: 'What kind of elements.' })
@Controller('v1/clusters/:cluster/configuration/:collection')
export class ElementsController {
  constructor(
    private readonly reads: ConfigurationReads,
    private readonly writes: ConfigurationWrites,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listElements',
    summary: 'List the elements of a collection',
    description:
      'With where each stands, in the order of the configuration; a page at a time, of now or as of a version (`at`). A page goes on after the last entry of the one before, wherever that is now; when that is gone, it is refused with 409 (`list-changed`): begin again. All pages of one version are had with `at`.',
  })
  @ApiOkResponse({ type: ElementListDto })
  @ApiRevalidated()
  @ApiProblems(400, 403, 404, 409)
  async list(
    @Param('cluster') cluster: string,
    @Param('collection') collection: string,
    @Query() query: ListElementsQuery,
    @Operator() operator: OperatorPrincipal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ElementListDto> {
    const name = collectionNamed(collection);
    const { limit = DEFAULT_PAGE, element: kinds } = query;
    const configuration = await this.reads.configuration({ cluster, at: query.at, response, as: 'json', ...clearFor(operator, query) });
    const all = [...elementsOf(configuration, name)].filter(({ element }) => kinds?.includes(element.name) ?? true);
    const ids = all.map(({ element }) => element.attributes['id'] ?? '');
    const begin = beginAfter(query.cursor, ids);
    const end = begin + limit;
    const { items, ...page } = pageOf(all.slice(begin, end + 1), limit, ({ element }) => placeCursor(end, element.attributes['id'] ?? ''));
    return { ...page, items: items.map(showPlaced) };
  }

  @Post()
  @Write({
    operationId: 'createElement',
    summary: 'Add an element; ids that are left out are made',
    description: 'Refused when its id is taken, when something in it is wrong, or when what it refers to is not there.',
    restsOn: 'configuration',
    answer: { status: 201, type: WriteResultDto },
    dryRun: WriteResultDto,
  })
  @ApiConsumes('application/json', 'application/xml')
  @ApiBody({ required: true, schema: ELEMENT })
  async create(
    @Param('cluster') cluster: string,
    @Param('collection') collection: string,
    @Query() query: CreateElementQuery,
    @Body() body: unknown,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const name = collectionNamed(collection);
    const { before, after } = query;
    const place = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    const write = { cluster, query, ...asking };
    const result = await this.writes.one(write, { edit: 'create', collection: name, ...elementIn(asking.request, body), ...place });
    if (query.dryRun === true) {
      asking.response.status(200);
      return result;
    }
    const id = madeId(body, result, COLLECTIONS[name].elements);
    if (id !== undefined) {
      asking.response.set('location', `/v1/clusters/${[cluster, 'configuration', name, id].map(encodeURIComponent).join('/')}`);
    }
    return result;
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getElement',
    summary: 'Get an element, as JSON or XML (Accept)',
    description: 'A node can be named by its name, too.',
  })
  @ApiOkResponse({ content: { 'application/json': { schema: ELEMENT }, 'application/xml': { schema: { type: 'string' } } } })
  @ApiRevalidated()
  @ApiProblems(400, 403, 404, 406)
  async get(
    @Param('cluster') cluster: string,
    @Param('collection') collection: string,
    @Param('id') id: string,
    @Query() query: ReadParametersQuery,
    @Operator() operator: OperatorPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const placed = await this.reads.element(
      { cluster, at: query.at, response, ...clearFor(operator, query) },
      collectionNamed(collection),
      id,
    );
    sendElement(request, response, placed.element, showPlaced(placed));
  }

  @Put(':id')
  @Write({
    operationId: 'replaceElement',
    summary: 'Replace an element',
    description:
      'Ids that are left out, the order and the comments stay where names or ids are the same: one value changed is one pair changed.',
    restsOn: 'configuration',
  })
  @ApiConsumes('application/json', 'application/xml')
  @ApiBody({ required: true, schema: ELEMENT })
  replace(
    @Param('cluster') cluster: string,
    @Param('collection') collection: string,
    @Param('id') id: string,
    @Query() query: WriteConfigurationQuery,
    @Body() body: unknown,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const write = { cluster, query, ...asking };
    return this.writes.one(write, { edit: 'replace', collection: collectionNamed(collection), id, ...elementIn(asking.request, body) });
  }

  @Patch(':id')
  @Write({
    operationId: 'patchElement',
    summary: 'Change an element by a merge patch (RFC 7396) or a JSON Patch (RFC 6902)',
    description:
      'Of the element as it is read. In a merge patch `null` removes a field or a pair, and a list replaces a list. A JSON Patch is made as a whole or not at all; a `test` that fails refuses it with 409.',
    restsOn: 'configuration',
  })
  @ApiPatchBody()
  patch(
    @Param('cluster') cluster: string,
    @Param('collection') collection: string,
    @Param('id') id: string,
    @Query() query: WriteConfigurationQuery,
    @Body() body: unknown,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const write = { cluster, query, ...asking };
    return this.writes.one(write, { edit: 'patch', collection: collectionNamed(collection), id, patch: patchIn(asking.request, body) });
  }

  @Delete(':id')
  @Write({
    operationId: 'deleteElement',
    summary: 'Delete an element',
    description: 'Refused with 409 and all that refers to it, unless that is taken along.',
    restsOn: 'configuration',
  })
  delete(
    @Param('cluster') cluster: string,
    @Param('collection') collection: string,
    @Param('id') id: string,
    @Query() query: DeleteElementQuery,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const write = { cluster, query, ...asking };
    const cascade = query.cascade === undefined ? {} : { cascade: query.cascade };
    return this.writes.one(write, { edit: 'delete', collection: collectionNamed(collection), id, ...cascade });
  }

  @Post(':id/move')
  @Write({
    operationId: 'moveElement',
    summary: 'Move an element: among its siblings, into a group, clone or bundle, or out of it',
    description: 'It keeps its id and all that refers to it. Its place decides the order of a group, and of resources that are else equal.',
    restsOn: 'configuration',
  })
  move(
    @Param('cluster') cluster: string,
    @Param('collection') collection: string,
    @Param('id') id: string,
    @Query() query: WriteConfigurationQuery,
    @Body() body: MoveElementBody,
    @Asking() asking: AskedBy,
  ): Promise<WriteResultDto> {
    const { parent, before, after } = body;
    const place = {
      ...(parent === undefined ? {} : { parent }),
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    };
    const write = { cluster, query, ...asking };
    return this.writes.one(write, { edit: 'move', collection: collectionNamed(collection), id, ...place });
  }
}

/** The id of what was added: the one that was given, or made. */
function madeId(body: unknown, { changes }: WriteResultDto, kinds: readonly string[]): string | undefined {
  const fields = new Map<string, unknown>(typeof body === 'object' && body !== null ? Object.entries(body) : []);
  const given = fields.get('id');
  if (typeof given === 'string') return given;
  const made = changes.filter(({ before }) => before === undefined);
  return made.find(({ kind }) => kinds.includes(kind))?.id ?? made.flatMap(({ after }) => idsIn(after, kinds))[0];
}

/** Ids of elements in a section: with the first of them it is made itself, and is the change. */
function idsIn(section: string | undefined, kinds: readonly string[]): readonly string[] {
  const elements = section === undefined ? [] : childElements(parseXml(section));
  return elements.flatMap(({ name, attributes: { id } }) => (id !== undefined && kinds.includes(name) ? [id] : []));
}
