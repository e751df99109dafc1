import { ApiHeader } from '@nestjs/swagger';

/** Says that the request may carry `If-Match`. */
export function ApiIfMatch(): MethodDecorator & ClassDecorator {
  return ApiHeader({
    name: 'If-Match',
    required: false,
    description: 'ETag of the version that the request was made for; when the cluster is at another one, it is refused with 412.',
    schema: { type: 'string', example: '"17"' },
  });
}
