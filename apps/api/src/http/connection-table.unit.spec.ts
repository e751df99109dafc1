import { EventEmitter } from 'node:events';
import type { ShareLimits } from '@systole/access';
import { describe, expect, it } from 'vitest';
import { ConnectionTable, type Accepted } from './connection-table.js';

/** A table, and what was closed of it. */
class Under {
  readonly closed: string[] = [];
  readonly table: ConnectionTable;
  now = 0;
  #port = 1_024;

  constructor(limits: ShareLimits) {
    this.table = new ConnectionTable({
      limits,
      now: () => this.now,
      onClosed: ({ refusal, address }) => this.closed.push(`${refusal} ${address}`),
    });
  }

  /** A connection comes from there. */
  from(remoteAddress: string): Accepted {
    this.#port += 1;
    const ends = { remoteAddress, remotePort: this.#port, localAddress: '192.0.2.1', localPort: 3_000 };
    const life = new EventEmitter();
    const socket: Accepted = { ...ends, destroy: () => life.emit('close'), once: (event, listener) => life.once(event, listener) };
    this.table.accept(socket);
    return socket;
  }

  /** Another one comes from the very port of one whose end was not noticed yet. */
  again(gone: Accepted): void {
    const life = new EventEmitter();
    this.table.accept({ ...gone, destroy: () => life.emit('close'), once: (event, listener) => life.once(event, listener) });
  }

  known(remoteAddress: string): Accepted {
    const socket = this.from(remoteAddress);
    this.table.noteToken(socket);
    return socket;
  }
}

const TOKEN_TIME_MS = 2_000;

describe('a table of connections', () => {
  it('closes the oldest without a token for a new one when all are taken', () => {
    const under = new Under({ total: 3, each: 10 });
    under.known('a');
    under.from('b');
    under.from('c');
    under.now = TOKEN_TIME_MS;
    under.from('d');
    under.from('e');
    expect(under.closed).toEqual(['stranger b', 'stranger c']);
  });

  it('counts none that was reset before it was taken, and not twice what comes back from the same port', () => {
    const under = new Under({ total: 2, each: 10 });
    let destroyed = 0;
    for (let time = 0; time < 3; time++) {
      under.table.accept({ remoteAddress: undefined, remotePort: undefined, destroy: () => (destroyed += 1), once: () => undefined });
    }
    expect(destroyed).toBe(3);
    const gone = under.from('a');
    under.again(gone);
    gone.destroy();
    under.from('b');
    expect(under.closed).toEqual([]);
    under.now = TOKEN_TIME_MS;
    under.from('c');
    expect(under.closed).toEqual(['stranger a']);
  });

  it('tells when one goes that had no time to show a token', () => {
    const under = new Under({ total: 1, each: 10 });
    under.from('a');
    under.now = TOKEN_TIME_MS - 1;
    under.from('b');
    expect(under.closed).toEqual(['total a']);
  });

  it('refuses the new one when all have shown tokens', () => {
    const under = new Under({ total: 2, each: 10 });
    const known = under.known('a');
    under.known('b');
    under.from('c');
    expect(under.closed).toEqual(['total c']);
    known.destroy();
    under.from('d');
    expect(under.closed).toHaveLength(1);
  });

  it('knows a connection by its ends, as with TLS the socket of a request is another one', () => {
    const under = new Under({ total: 2, each: 10 });
    const upon = { ...under.from('a') };
    under.from('b');
    expect(under.table.isKnown(upon)).toBe(false);
    under.table.noteToken(upon);
    expect(under.table.isKnown(upon)).toBe(true);
    under.now = TOKEN_TIME_MS;
    under.from('c');
    expect(under.closed).toEqual(['stranger b']);
  });

  it('has an address with too many close its own oldest without a token, or refuses it when each has one', () => {
    const under = new Under({ total: 10, each: 3 });
    under.known('a');
    under.known('a');
    under.from('b');
    under.from('a');
    under.from('a');
    expect(under.closed).toEqual(['own a']);
    const all = new Under({ total: 10, each: 2 });
    all.known('a');
    all.known('a');
    all.from('a');
    expect(all.closed).toEqual(['own a']);
  });

  it('lets half of what an address may have come without a token, of a /64 of IPv6 together', () => {
    const under = new Under({ total: 10, each: 4 });
    for (let host = 1; host <= 5; host++) under.from(`2001:db8::${String(host)}`);
    under.from('2001:db8:0:1::1');
    under.from('192.0.2.1');
    expect(under.closed).toEqual(['own 2001:db8::1', 'own 2001:db8::2', 'own 2001:db8::3']);
  });

  it('counts those with a token by the whole address: all nodes of a network of IPv6 may stand in one /64', () => {
    const under = new Under({ total: 100, each: 4 });
    for (let host = 1; host <= 50; host++) under.known(`2001:db8::${String(host)}`);
    expect(under.closed).toEqual([]);
  });

  it('forgets connections that ended', () => {
    const under = new Under({ total: 2, each: 2 });
    for (let turn = 0; turn < 10; turn++) {
      under.from('a').destroy();
      under.known('a').destroy();
    }
    expect(under.closed).toEqual([]);
  });
});
