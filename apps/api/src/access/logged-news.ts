import type { AccessListener } from '@systole/access';
import type { Logger } from 'pino';

/** Writes what becomes of access into the log: tokens always, refusals for whoever looks into them. */
export function loggedNews(log: Pick<Logger, 'info' | 'debug'>): AccessListener {
  return {
    tokenIssued: ({ id, role, name }, by) => {
      log.info({ token: { id, role, name }, by }, 'a token was made');
    },
    tokenRevoked: ({ id, role, name }, by) => {
      log.info({ token: { id, role, name }, by }, 'a token was revoked');
    },
    refused: (refusal) => {
      log.debug(refusal, 'a request was refused');
    },
  };
}
