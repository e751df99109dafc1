import { StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isCompressedAlready } from '../http/compressed-answers.js';
import type { SharedAnswer } from './shared-answers.js';

/** Shorter ones are compressed as quickly as they are looked up, bytes. */
const SHORT = 16 * 1024;

/** An answer that several get, as the one who asks takes it: what is long is compressed once for all. */
export async function sharedFile(
  request: Request,
  response: Response,
  type: string,
  { text, compressed }: SharedAnswer<unknown>,
): Promise<StreamableFile> {
  if (text.length < SHORT || request.acceptsEncodings('gzip') === false) return new StreamableFile(text, { type, length: text.length });
  const bytes = await compressed();
  isCompressedAlready(response, text.length);
  return new StreamableFile(bytes, { type, length: bytes.length });
}
