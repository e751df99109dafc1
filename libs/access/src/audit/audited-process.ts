import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { pid } from 'node:process';
import type { AuditLog } from './audit-log.js';

/** Tells the audit when this process begins and ends to work. */
export class AuditedProcess {
  readonly #process: { readonly program: string; readonly host: string; readonly pid: number };
  readonly #meta = { actor: 'systole', command: 'run', correlationId: randomUUID() };
  #started = false;

  /** @param program which of the server's */
  constructor(program: string) {
    this.#process = { program, host: hostname(), pid };
  }

  /** @param settings that are no secrets */
  started(audit: AuditLog, settings: Readonly<Record<string, string | number | boolean>>): void {
    this.#started = true;
    audit.note({ type: 'ServerStarted', data: { ...this.#process, settings } }, this.#meta);
  }

  /** One that never got to work tells nothing. */
  stopped(audit: AuditLog): void {
    if (this.#started) audit.note({ type: 'ServerStopped', data: this.#process }, this.#meta);
  }
}

/** Host, port and database of a URL, never who and with which password. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
