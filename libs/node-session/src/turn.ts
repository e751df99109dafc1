import type { Message, NodeEffect } from './effects.js';
import type { NodeState } from './state.js';

/**
 * One step while it is being taken. Only `nodeStep` and what it calls see it: outside, states are never changed.
 */
export interface Turn {
  state: NodeState;
  readonly now: number;
  /** Epoch ms by the time of day, to be told to others only. */
  readonly wallMs: number;
  readonly effects: NodeEffect[];
}

export function update(turn: Turn, change: Partial<NodeState>): void {
  turn.state = { ...turn.state, ...change };
}

export function freshId(turn: Turn): number {
  const { nextId } = turn.state;
  update(turn, { nextId: nextId + 1 });
  return nextId;
}

export function log(turn: Turn, level: 'info' | 'warn' | 'error', text: string, fields: Readonly<Record<string, unknown>> = {}): void {
  turn.effects.push({ type: 'log', level, text, fields });
}

/** @returns the request's id */
export function send(turn: Turn, message: Message, timeoutMs: number): number {
  const { servers } = turn.state;
  const request = freshId(turn);
  update(turn, { requests: new Map(turn.state.requests).set(request, servers.current) });
  turn.effects.push({ type: 'send', request, server: servers.urls[servers.current] ?? '', message, timeoutMs });
  return request;
}

/** @returns the index of the server that it went to; undefined when nobody waits for its answer any more */
export function forgetRequest(turn: Turn, request: number): number | undefined {
  const server = turn.state.requests.get(request);
  const requests = new Map(turn.state.requests);
  requests.delete(request);
  update(turn, { requests });
  return server;
}

export function abandon(turn: Turn, request: number | undefined): void {
  if (request === undefined || forgetRequest(turn, request) === undefined) return;
  turn.effects.push({ type: 'abandon', request });
}
