import { CommandContention, OutcomeUnknown, type Answer as SessionAnswer, type CallingNode } from '@systole/control-plane';
import type { Message, NodeInput } from '@systole/node-session';
import {
  parseIncarnationRequest,
  parseJoinAnswer,
  parseJoinRequest,
  parseLeaveRequest,
  parsePollAnswer,
  parsePollRequest,
  parseResultsAnswer,
  parseResultsRequest,
  ProtocolError,
} from '@systole/protocol';
import type { ApiProcess } from './server.js';

/** What goes over the network: a status and text. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

type Reading = Extract<NodeInput, { type: 'answered' | 'refused' | 'unanswered' }>;
type Read = Reading extends infer Input ? (Input extends Reading ? Omit<Input, 'now' | 'wallMs'> : never) : never;

const CORRELATION = 'simulated';

/** The api's edge: reads a request as it comes over the wire, has it served, writes the answer. */
export async function serve(api: ApiProcess, caller: CallingNode, message: Message, gone: AbortSignal): Promise<Reply> {
  try {
    return await served(api, caller, message.kind, JSON.parse(JSON.stringify(message.body)), gone);
  } catch (error) {
    if (error instanceof ProtocolError) return problem(422, 'invalid-body', error.message);
    const expected = error instanceof OutcomeUnknown || error instanceof CommandContention;
    return problem(expected ? 503 : 500, 'unavailable', String(error));
  }
}

async function served(api: ApiProcess, caller: CallingNode, kind: Message['kind'], body: unknown, gone: AbortSignal): Promise<Reply> {
  const { sessions } = api;
  switch (kind) {
    case 'join':
      return replyOf(await sessions.join(caller, parseJoinRequest(body), CORRELATION));
    case 'poll':
      return replyOf(await sessions.poll(caller, parsePollRequest(body), [gone], CORRELATION));
    case 'results':
      return replyOf(await sessions.results(caller, parseResultsRequest(body), CORRELATION));
    case 'shutdown':
      return replyOf(await sessions.shutdown(caller, parseIncarnationRequest(body).incarnation, CORRELATION));
    case 'leave':
      return replyOf(await sessions.leave(caller, parseLeaveRequest(body), CORRELATION));
  }
}

function replyOf(answer: SessionAnswer<unknown>): Reply {
  if (answer.ok) return { status: 200, text: JSON.stringify(answer.answer ?? {}) };
  const { status, code, message, issues = [] } = answer.rejection;
  return problem(
    status,
    code,
    message,
    issues.flatMap(({ pointer }) => pointer ?? []),
  );
}

function problem(status: number, code: string, detail: string, places: readonly string[] = []): Reply {
  return { status, text: JSON.stringify({ type: `https://systole.dev/problems/${code}`, detail, places }) };
}

/** The agent's edge: what a reply is to the session. */
export function readAnswer(request: number, kind: Message['kind'], { status, text }: Reply): Read {
  const body: unknown = JSON.parse(text);
  if (status === 200) return { type: 'answered', request, answer: answerOf(kind, body) };
  const {
    type: problemType,
    detail,
    places,
  } = body as {
    readonly type: string;
    readonly detail: string;
    readonly places: readonly string[];
  };
  if (status >= 500 || status === 429 || status === 408) return { type: 'unanswered', request, status, detail };
  return { type: 'refused', request, status, problemType, detail, places };
}

function answerOf(kind: Message['kind'], body: unknown): Extract<Read, { type: 'answered' }>['answer'] {
  switch (kind) {
    case 'join':
      return { kind: 'join', join: parseJoinAnswer(body) };
    case 'poll':
      return { kind: 'poll', poll: parsePollAnswer(body) };
    case 'results':
      return { kind: 'results', ...parseResultsAnswer(body) };
    case 'shutdown':
    case 'leave':
      return { kind: 'done' };
  }
}
