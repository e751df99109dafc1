import type { ToolRequest } from '@systole/protocol';

/** Whether what is asked for may be asked again when the answer was lost: it then finds all as wished, and says nothing else than the first time. */
export function isSafeTwice(request: ToolRequest): boolean {
  if (request.ask === 'change-document') return request.changes.every(({ operation }) => operation !== 'create');
  return request.ask !== 'power-on' && request.ask !== 'move' && request.ask !== 'fail';
}
