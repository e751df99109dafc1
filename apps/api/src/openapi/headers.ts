import { ApiHeader } from '@nestjs/swagger';

/** Description of `epoch` beside a version. */
export const EPOCH_MARK =
  'Mark of the epoch of the log, which belongs to the version: the ETag is `"<version>-<epoch>"`. Absent in the first epoch.';

/** Says that the request may carry `If-Match`. */
export function ApiIfMatch(): MethodDecorator & ClassDecorator {
  return ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412.',
    schema: { type: 'string', example: '"17"' },
  });
}

/** Says that the request needs `If-Match`. */
export function ApiConfigurationMatch(): MethodDecorator & ClassDecorator {
  return ApiHeader({
    name: 'If-Match',
    required: true,
    description:
      'ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out.',
    schema: { type: 'string', example: '"17"' },
  });
}
