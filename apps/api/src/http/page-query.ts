import { TextField, WholeParameter } from './fields.js';

/** Which part of a list. */
export class PageQuery {
  @WholeParameter({ min: 1, max: 1_000, description: 'At most so many entries; 100 when left out.', optional: true })
  readonly limit?: number;

  @TextField({ description: '`next` of the previous page.', max: 255, optional: true })
  readonly cursor?: string;
}
