/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
export const MEMBERSHIP_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  NodeJoined: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'NodeJoined' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          nodeId: { type: 'string', description: 'Its id in the configuration.' },
          kind: {
            type: 'string',
            enum: ['remote', 'guest'],
            description: 'A remote or guest node, as the configuration says; absent: a cluster node.',
          },
          incarnation: { type: 'number', description: 'Counts up with each joining of an agent as this node, from 1.' },
          leaseMs: { type: 'number', description: 'For how long each sign of life of its agent holds, ms.' },
          agentVersion: { type: 'string', description: 'Version of its agent.' },
          onLeaseLoss: {
            type: 'string',
            enum: ['keep', 'stop', 'watchdog'],
            description: 'What its agent is told to do when it loses its lease; absent when it follows no server: it stops its resources.',
          },
          bootId: { type: 'string', description: 'Changes with each boot of the machine.' },
          machineId: { type: 'string', description: 'Stays with the machine; that of a cloned disk may be the same.' },
          attempt: {
            $ref: '#/components/schemas/JoinAttempt',
            description: 'Which try of which process of the agent it was, within that boot.',
          },
          actionLimit: { type: 'number', description: 'How many actions its agent carries out at a time, as far as it told.' },
          localOnLeaseLoss: {
            type: 'string',
            enum: ['keep', 'stop', 'watchdog'],
            description: 'What its agent does when it loses its lease, by a setting of its own, whatever it is told.',
          },
          restarted: {
            type: 'boolean',
            const: true,
            description:
              'Another boot than before, which began after that one had left in order, as earlier versions took it: what ran there is over.',
          },
          doubtful: {
            type: 'boolean',
            const: true,
            description: 'Another boot than before, which was let in as nobody could fence that one: what ran there may run on.',
          },
          unmanaged: {
            type: 'array',
            items: { type: 'string' },
            description: 'History ids of what may be active there and its agent takes for not managed, as it said; absent: nothing.',
          },
          active: {
            type: 'array',
            items: { type: 'string' },
            description:
              'Of a remote or guest node: history ids of what may be active there as its agent said, beside what the log knows itself; absent: nothing.',
          },
          debugOperations: {
            type: 'boolean',
            const: true,
            description: 'Its agent carries out debug operations; absent: it knows of none.',
          },
          attributesKept: {
            type: 'string',
            enum: ['all', 'but-promotion'],
            description:
              'Another process of the agent, or another session, on the boot that joined before: what lasts until the reboot goes on. `but-promotion`: all but promotion scores, as its agent may have stopped what they are of. Absent: it is lost, but for `standby`.',
          },
          watchdogMs: {
            type: 'number',
            description:
              'Time-out of the watchdog that its agent arms as soon as it holds the lease, ms; absent: it has none, or nobody knows its time-out.',
          },
        },
        required: ['node', 'nodeId', 'incarnation', 'leaseMs', 'agentVersion'],
      },
    },
    required: ['type', 'data'],
  },
  JoinAttempt: {
    type: 'object',
    properties: {
      processStartedMs: { type: 'number', description: 'ms since the boot.' },
      number: { type: 'number', description: 'Counts up within the process.' },
    },
    required: ['processStartedMs', 'number'],
    description: 'Within one boot of a machine: the later process, then the higher number is the later try.',
  },
  NodeJoinRefused: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'NodeJoinRefused' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          bootId: { type: 'string', description: 'Of the machine that asked; changes with each boot.' },
          machineId: { type: 'string', description: 'Of the machine that asked; absent where it did not tell.' },
          alongside: { type: 'boolean', const: true, description: 'Both lived at once: it is a second machine.' },
          unconfigured: {
            type: 'boolean',
            const: true,
            description:
              'The log went back, and neither it nor the configuration knows a remote or guest node of that name: it may run what the log does not know of.',
          },
        },
        required: ['node', 'bootId'],
      },
    },
    required: ['type', 'data'],
    description:
      'Another boot than the one that joined last, of this machine or a second one with the same token, wanted to join. Recorded once for each boot; and once more when the boot that holds the lease was heard of after it had asked. Or, once, the agent of a remote or guest node of the lost tail of the log.',
  },
  FalseWitnessShown: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'FalseWitnessShown' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          incarnation: { type: 'number', description: 'Which joining of an agent as this node it is of, from 1.' },
          witness: { $ref: '#/components/schemas/LogHead', description: 'The place in the log that it showed.' },
        },
        required: ['node', 'incarnation', 'witness'],
      },
    },
    required: ['type', 'data'],
    description:
      'A node showed a place in the log that carries the seal of this installation and was never told: made up, or damaged. It counts for nothing.',
  },
  NodeLeaseLost: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'NodeLeaseLost' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          incarnation: { type: 'number', description: 'Which joining of an agent as this node it is of, from 1.' },
          expiredAt: { type: 'string', description: 'When the lease ran out; ISO 8601, UTC.' },
          overdue: {
            type: 'array',
            items: { type: 'string' },
            description:
              'Names of other nodes that should have renewed their leases by then as well: they may have been cut off together. Absent: none.',
          },
          measured: {
            $ref: '#/components/schemas/MeasuredLosses',
            description: 'What the worker measured that found it; absent in logs of before, and where it knew of no other loss.',
          },
        },
        required: ['node', 'incarnation', 'expiredAt'],
      },
    },
    required: ['type', 'data'],
  },
  MeasuredLosses: {
    type: 'object',
    properties: {
      version: { type: 'number', description: 'Of losses that the log held up to this stream version.' },
      near: { type: 'array', items: { type: 'string' }, description: 'Names, sorted. All others were lost earlier.' },
      unseen: {
        type: 'array',
        items: { type: 'string' },
        description: 'Names of nodes whose losses it did not see come, sorted: there the dates count. Absent: none.',
      },
    },
    required: ['version', 'near'],
    description:
      "Which other nodes were lost within the length of a lease of one, by the clock of a worker that saw those losses come: dates of a log don't tell when a clock stepped.",
  },
  LeaseLossPolicyTold: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'LeaseLossPolicyTold' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          incarnation: { type: 'number', description: 'Which joining of an agent as this node it is of, from 1.' },
          policy: {
            type: 'string',
            enum: ['keep', 'stop', 'watchdog'],
            description:
              'What its agent does with its resources when it loses its lease: let them run, stop them, or stop feeding its watchdog.',
          },
        },
        required: ['node', 'incarnation', 'policy'],
      },
    },
    required: ['type', 'data'],
    description:
      'From now on the server reckons with this when the node loses its lease: the most cautious of what its agent may have been told.',
  },
  WatchdogTold: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'WatchdogTold' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          incarnation: { type: 'number', description: 'Which joining of an agent as this node it is of, from 1.' },
          timeoutMs: {
            type: 'number',
            description: 'After how long without being fed it resets the machine, ms; absent: nobody counts on it any more.',
          },
          armed: {
            type: 'boolean',
            const: false,
            description:
              'False: that there is one is known from now on; nobody counts on it before the next poll that says that it is armed.',
          },
          seq: { type: 'number', description: 'Number of the poll that said so; absent: the agent does not count its polls.' },
        },
        required: ['node', 'incarnation'],
      },
    },
    required: ['type', 'data'],
    description:
      'What the agent of a node said of its watchdog: from now on the server counts on its resetting the machine so long after the agent can not renew its lease any more; or it does not any more, as the watchdog is gone or the agent may be told to do something else.',
  },
  ManagedTold: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'ManagedTold' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          incarnation: { type: 'number', description: 'Which joining of an agent as this node it is of, from 1.' },
          resources: { type: 'array', items: { type: 'string' }, description: 'History ids of the resources.' },
        },
        required: ['node', 'incarnation', 'resources'],
      },
    },
    required: ['type', 'data'],
    description:
      'The agent of a node showed that it knows these resources to be managed again: it stops them when it has to stop everything.',
  },
  NodeTroublesTold: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'NodeTroublesTold' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          incarnation: { type: 'number', description: 'Which joining of an agent as this node it is of, from 1.' },
          troubles: {
            type: 'array',
            items: { $ref: '#/components/schemas/NodeTrouble' },
            description: 'What is wrong there; empty: nothing is any more.',
          },
        },
        required: ['node', 'incarnation', 'troubles'],
      },
    },
    required: ['type', 'data'],
    description: 'What keeps the agent of a node from doing its work, as it says; nothing: it is over. Recorded when it changes in kind.',
  },
  NodeTrouble: {
    type: 'object',
    properties: {
      code: { type: 'string', description: 'What kind, as the agent names it.' },
      detail: { type: 'string', description: 'For people.' },
    },
    required: ['code', 'detail'],
  },
  NodeLeft: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'NodeLeft' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          incarnation: { type: 'number', description: 'Which joining of an agent as this node it is of, from 1.' },
          active: {
            type: 'array',
            items: { type: 'string' },
            description:
              'History ids of what runs on there because it was not managed, by what the log knows and its agent said; absent where that was not recorded yet.',
          },
        },
        required: ['node', 'incarnation'],
      },
    },
    required: ['type', 'data'],
    description: 'The agent stopped the resources that it may stop, and said goodbye.',
  },
  NodeShutdownRequested: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'NodeShutdownRequested' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          incarnation: { type: 'number', description: 'Which joining of an agent as this node it is of, from 1.' },
          cutOff: {
            type: 'boolean',
            const: true,
            description:
              'Of a remote or guest node whose connection was not up: who plans is not told before it is, as the node would be fenced for what runs there. Absent: it was, or it is a cluster node.',
          },
        },
        required: ['node', 'incarnation'],
      },
    },
    required: ['type', 'data'],
  },
  NodeConfirmedDown: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'NodeConfirmedDown' },
      data: {
        type: 'object',
        properties: { node: { type: 'string', description: 'Name of the node.' }, reason: { type: 'string', description: "A person's." } },
        required: ['node'],
      },
    },
    required: ['type', 'data'],
    description: 'A person vouches that the node is down.',
  },
};
