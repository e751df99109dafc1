import type { OpenAPIObject } from '@nestjs/swagger';

type Paths = OpenAPIObject['paths'];

/** Writes of what has a path of its own; what is sent to others with POST has no such condition. */
const WRITES = ['put', 'patch', 'delete'] as const;

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here.',
  schema: { type: 'string', example: '*' },
} as const;

/** Says of all writes of what has a path of its own that they may be made for as long as it is not there, or not as it was: it is heard everywhere. */
export function withConditions(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => {
      const writes = WRITES.flatMap((method) => {
        const operation = item[method];
        return operation === undefined
          ? []
          : [[method, { ...operation, parameters: [...(operation.parameters ?? []), IF_NONE_MATCH] }] as const];
      });
      return [path, { ...item, ...Object.fromEntries(writes) }];
    }),
  );
}
