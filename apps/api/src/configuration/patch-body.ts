import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { JSON_PATCH } from '@systole/cib';
import type { Request } from 'express';
import { HttpProblem } from '../http/problem.js';
import { schemaPath } from '../openapi/schema-path.js';

const MERGE_PATCH_TYPE = 'application/merge-patch+json';
const JSON_PATCH_TYPE = 'application/json-patch+json';

const MERGE_PATCH = { type: 'object', additionalProperties: true } as const;

/** Says that the request brings a merge patch or a JSON Patch. */
export function ApiPatchBody(): MethodDecorator {
  return applyDecorators(
    ApiConsumes(MERGE_PATCH_TYPE, JSON_PATCH_TYPE),
    ApiBody({
      required: true,
      description:
        'A merge patch (RFC 7396), or a JSON Patch (RFC 6902), as its Content-Type says; as application/json it is a merge patch.',
      schema: { oneOf: [MERGE_PATCH, { $ref: schemaPath(JSON_PATCH) }] },
    }),
  );
}

/** What each type of a patch holds: Swagger knows one schema for all types of a body. */
export const PATCH_CONTENT = {
  [MERGE_PATCH_TYPE]: { schema: MERGE_PATCH },
  [JSON_PATCH_TYPE]: { schema: { $ref: schemaPath(JSON_PATCH) } },
} as const;

/**
 * A patch as edits take it: an object is a merge patch, a list is a JSON Patch.
 *
 * @throws {HttpProblem} 422 for one that is not of the kind that its Content-Type says
 */
export function patchIn(request: Request, body: unknown): unknown {
  const isJsonPatch = request.is(JSON_PATCH_TYPE) !== false;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (isJsonPatch ? Array.isArray(body) : isObject) return body;
  const detail = isJsonPatch
    ? 'a JSON Patch is a list of operations'
    : 'a merge patch is an object; a list of operations is sent as application/json-patch+json';
  throw new HttpProblem(422, 'invalid-request', detail, { errors: [{ pointer: '', detail }] });
}
