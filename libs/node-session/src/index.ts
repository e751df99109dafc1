export type { EndReason, Job, Message, NodeEffect, OperationJob } from './effects.js';
export type { Answer, NodeInput, Outcome } from './inputs.js';
export type { ActionProcess, ActiveResource, JournalRecord, RecordedResult, RefusedResult, RunningAction } from './journal/record.js';
export { EMPTY_STATE, evolve, REMEMBERED_ACTIONS, snapshot, type JournalState } from './journal/state.js';
export { meansActive, RC } from './return-codes.js';
export type { Found } from './start.js';
export type { NodeSettings, NodeState } from './state.js';
export { dueAt, isWritten, mayFeed, nodeStart, nodeStep, type NodeStep } from './step.js';
