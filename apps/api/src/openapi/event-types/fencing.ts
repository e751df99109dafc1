/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
export const FENCING_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  FencingAllowed: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'FencingAllowed' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node that may be fenced.' },
          reason: { type: 'string', description: "A person's." },
        },
        required: ['node'],
      },
    },
    required: ['type', 'data'],
    description: 'A person allows that a node is fenced although the limit on fencing is reached; until it joins again.',
  },
  FencingHistoryCleared: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'FencingHistoryCleared' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Of the fencing of this node only; absent: of all.' },
          reason: { type: 'string', description: "A person's." },
        },
      },
    },
    required: ['type', 'data'],
    description: 'A person has seen how nodes were fenced until here: lists and the status show what comes after it.',
  },
  FencingRequested: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'FencingRequested' },
      data: {
        type: 'object',
        properties: {
          fencingId: { type: 'string', description: 'Unique id of this attempt.' },
          target: { type: 'string', description: 'Name of the node that is to be fenced.' },
          action: { type: 'string', enum: ['off', 'reboot', 'on'], description: 'What the device is told.' },
          wanted: {
            type: 'string',
            enum: ['off', 'reboot', 'on'],
            description: 'What the transition wants; absent: the same. A reboot by several devices is `off` by each, then `on` by each.',
          },
          device: { type: 'string', description: 'Id of the fence device.' },
          executor: { type: 'string', description: 'Name of the node whose agent is to run it; of a watchdog: the target.' },
          attempt: { type: 'number', description: 'Which try to fence the target it is, from 1.' },
          transition: { type: 'number', description: 'Number of the transition that wants it.' },
          graphActionId: { type: 'number', description: 'Id of the action in its graph.' },
          delayMs: { type: 'number', description: 'Before it begins: the share of `priority-fencing-delay`; first attempts only.' },
          randomDelayMs: { type: 'number', description: 'Before it begins, besides: what was drawn at random (`pcmk_delay_max`).' },
          watchdogMs: {
            type: 'number',
            description:
              'No device is told anything: the target resets itself by its watchdog, and the server counts so many ms from the loss of its lease on, by a clock that does not step. The executor is the target.',
          },
          digests: {
            $ref: '#/components/schemas/UnfencingDigests',
            description: 'With `on`: what becomes of `#digests-all` and `#digests-secure` of the target when it succeeds.',
          },
        },
        required: ['fencingId', 'target', 'action', 'device', 'executor', 'attempt', 'transition', 'graphActionId'],
      },
    },
    required: ['type', 'data'],
  },
  UnfencingDigests: {
    type: 'object',
    properties: {
      all: { type: 'string', description: 'Of all parameters of each device.' },
      secure: { type: 'string', description: 'Of those that are not secret.' },
    },
    required: ['all', 'secure'],
    description:
      'Digests of the devices that unfence, as the scheduler writes them (specification 02 §13.7): `<device>:<type>:<digest>,` each.',
  },
  FencingCompleted: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'FencingCompleted' },
      data: {
        type: 'object',
        properties: {
          fencingId: { type: 'string', description: 'Of the attempt, as it was requested.' },
          target: { type: 'string', description: 'Name of the node that was to be fenced.' },
          action: { type: 'string', enum: ['off', 'reboot', 'on'], description: 'What the device was told.' },
          device: { type: 'string', description: 'Id of the fence device.' },
          executor: { type: 'string', description: 'Name of the node whose agent was to run it.' },
          incarnation: { type: 'number', description: 'Of the executor that reports; absent when the server gave up on it.' },
          outcome: { type: 'string', enum: ['succeeded', 'failed', 'timeout'], description: 'How the attempt ended.' },
          unable: {
            type: 'boolean',
            const: true,
            description: "The device can't fence the target, so that it was not told to: it is not tried again, another one is.",
          },
          detail: { type: 'string', description: 'What the device, or the server, said of it; for people.' },
          resultId: { type: 'string', description: "The executor's id for this result; absent when the server gave up on it." },
          confirmed: {
            type: 'boolean',
            description:
              'With this the whole fencing of the target is done: it is off (or was rebooted). Absent: so when `outcome` is `succeeded`. It is false for all but the last device of a topology level.',
          },
          exhausted: {
            type: 'boolean',
            description: 'No device, executor or level is left to try: the fencing action of the transition has failed.',
          },
          unasked: {
            type: 'boolean',
            const: true,
            description:
              'It was not asked for this, or is not any more: it counts for nothing. Absent of what counts, and in events from before that was recorded.',
          },
        },
        required: ['fencingId', 'target', 'action', 'device', 'executor', 'outcome'],
      },
    },
    required: ['type', 'data'],
  },
};
