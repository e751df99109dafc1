/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
export const EVENT_TYPES_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ClusterCreated: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'ClusterCreated' },
      data: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The name that it was given.' },
          cib: { type: 'string', description: 'The CIB that it was made with, as XML; empty: none.' },
          reason: { type: 'string', description: "A person's." },
          forced: { $ref: '#/components/schemas/Forced', description: 'Absent when nothing had to be forced.' },
        },
        required: ['name', 'cib'],
      },
    },
    required: ['type', 'data'],
  },
  Forced: {
    type: 'object',
    properties: {
      count: { type: 'number', description: 'How many findings there were.' },
      findings: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            path: { type: 'string', description: 'Of the XML element, with ids.' },
            attribute: { type: 'string', description: 'The attribute of that element that is wrong, if it is one.' },
            message: { type: 'string', description: 'What is wrong.' },
          },
          required: ['path', 'message'],
        },
        description: 'The first hundred of them.',
      },
    },
    required: ['count', 'findings'],
    description: 'What whoever asked for a configuration forced: it was surely not meant, and would have been refused.',
  },
  ClusterStopping: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'ClusterStopping' },
      data: {
        type: 'object',
        properties: {
          reason: { type: 'string', description: "A person's." },
          restore: {
            type: 'object',
            properties: { value: { type: 'string', description: 'The value that it had; absent: it was not configured.' } },
            description:
              'What becomes of the option `stop-all-resources` when this is called off; absent: it was in force before, and stays.',
          },
        },
      },
    },
    required: ['type', 'data'],
    description: 'Everything is to be stopped; when it is, the cluster is deleted.',
  },
  ClusterStopCancelled: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'ClusterStopCancelled' },
      data: { type: 'object', properties: { reason: { type: 'string', description: "A person's." } } },
    },
    required: ['type', 'data'],
    description: 'A person called the deletion off.',
  },
  ClusterDeleted: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'ClusterDeleted' },
      data: { type: 'object', properties: { reason: { type: 'string', description: "A person's." } } },
    },
    required: ['type', 'data'],
  },
  EpochBegan: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'EpochBegan' },
      data: {
        type: 'object',
        properties: {
          epoch: { type: 'string', description: 'UUID of the epoch that begins.' },
          previous: { type: 'string', description: 'The one that ends; the first one of a cluster is its id.' },
          reason: { type: 'string', description: 'What was found, for people.' },
          witness: {
            type: 'object',
            properties: {
              epoch: { type: 'string', description: 'Of the log at that time.' },
              version: { type: 'number', description: 'Stream version, from 1.' },
              hash: { type: 'string', description: 'Of the event at that version; lower-case hexadecimal.' },
            },
            required: ['epoch', 'version', 'hash'],
            description: 'What somebody was told of the log and is not in it; absent when a person says that the log was restored.',
          },
          by: { type: 'string', description: 'Who showed it: a node, `api`, `worker`, or a person.' },
          proven: { type: 'boolean', const: true, description: 'Its seal proved that a server had told it: it is no word of `by` alone.' },
        },
        required: ['epoch', 'previous', 'reason', 'by'],
      },
    },
    required: ['type', 'data'],
    description:
      'The log went back in time (a restored database, a replica that lacked the newest events): what it says of nodes and resources may be of yesterday. Every lease ends with this.',
  },
  ConfigurationChanged: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'ConfigurationChanged' },
      data: {
        type: 'object',
        properties: {
          command: { type: 'string', description: 'What was asked for, e.g. `replace-configuration`.' },
          arguments: { type: 'object', additionalProperties: {}, description: 'What it was asked for with, by name.' },
          changes: {
            type: 'array',
            items: { $ref: '#/components/schemas/ElementChange' },
            description: 'What it changed, element by element, in the order in which it is applied.',
          },
          reason: { type: 'string', description: "A person's." },
          forced: { $ref: '#/components/schemas/Forced', description: 'Absent when nothing had to be forced.' },
          countedFrom: {
            $ref: '#/components/schemas/DocumentVersion',
            description:
              'The version of the document that it is, where that is higher than the one before: what follows counts on from it.',
          },
        },
        required: ['command', 'arguments', 'changes'],
      },
    },
    required: ['type', 'data'],
  },
  ElementChange: {
    type: 'object',
    properties: {
      kind: {
        type: 'string',
        description: 'Element name, e.g. `primitive`, `rsc_location`, `nvpair`; `configuration` for the whole; `#comment` for a comment.',
      },
      id: {
        type: 'string',
        description:
          "The element's id; empty for an element without one, which is then the only one of its name below its parent. For a comment that goes: its number among the parent's comments before the change, from 0.",
      },
      path: {
        type: 'string',
        description:
          "The parent's path from the root, e.g. `configuration/resources` or `configuration/resources/primitive[@id='db']`; empty for `configuration` itself.",
      },
      before: { type: 'string', description: 'XML before; absent for what is new.' },
      after: { type: 'string', description: 'XML after; absent for what is removed.' },
      position: {
        type: 'number',
        description:
          'Index among all children of the parent (comments count) once all changes of this parent that stand together in the list are made; given for what is new or moved.',
      },
    },
    required: ['kind', 'id', 'path'],
    description:
      'One element of the configuration before and after; both are XML text. Without `before` the element is new, without `after` it is gone.',
  },
  DocumentVersion: {
    type: 'object',
    properties: { adminEpoch: { type: 'number', description: '`admin_epoch`.' }, epoch: { type: 'number', description: '`epoch`.' } },
    required: ['adminEpoch', 'epoch'],
    description: 'Which version of a configuration a CIB says that it has: what Pacemaker compares, the first part first.',
  },
  SecretErased: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'SecretErased' },
      data: {
        type: 'object',
        properties: {
          secret: { type: 'string', description: 'Its id, as references have it.' },
          owner: { type: 'string', description: 'The resource that it was given for.' },
          parameter: { type: 'string', description: 'Name of the parameter that it is the value of.' },
          reason: { type: 'string', description: "A person's." },
        },
        required: ['secret', 'owner', 'parameter'],
      },
    },
    required: ['type', 'data'],
    description: 'The value of a secret was forgotten for good; the configuration may still refer to it.',
  },
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
        },
        required: ['node', 'bootId'],
      },
    },
    required: ['type', 'data'],
    description:
      'Another boot than the one that joined last, of this machine or a second one with the same token, wanted to join. Recorded once for each boot; and once more when the boot that holds the lease was heard of after it had asked.',
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
  LogHead: {
    type: 'object',
    properties: {
      epoch: { type: 'string', description: 'Of the log at that time (see `epochOf`).' },
      version: { type: 'number', description: 'Stream version, from 1.' },
      hash: { type: 'string', description: 'Of the event at that version; lower-case hexadecimal.' },
    },
    required: ['epoch', 'version', 'hash'],
    description:
      'A place in the event log that was acknowledged once: what a server tells with each answer, and what an agent shows with its next question.',
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
  NodeAttributeSet: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'NodeAttributeSet' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          name: { type: 'string', description: 'Name of the attribute.' },
          value: { type: 'string', description: 'Its value from now on.' },
          lifetime: { $ref: '#/components/schemas/AttributeLifetime', description: 'How long it stays.' },
          uniqueIds: {
            type: 'boolean',
            const: true,
            description:
              'What it makes in the configuration gets ids that nothing else there has. Else, as in older logs, later changes may name the ids that come of its names alone.',
          },
          reason: { type: 'string', description: "A person's." },
          held: { type: 'boolean', const: true, description: 'It was held back before, and is written with what else was held of it.' },
        },
        required: ['node', 'name', 'value', 'lifetime'],
      },
    },
    required: ['type', 'data'],
  },
  AttributeLifetime: {
    type: 'string',
    enum: ['forever', 'reboot'],
    description: "`forever` lives in the node's configuration, `reboot` in its transient attributes.",
  },
  NodeAttributeCleared: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'NodeAttributeCleared' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          name: { type: 'string', description: 'Name of the attribute.' },
          lifetime: { $ref: '#/components/schemas/AttributeLifetime', description: 'Which of the two of that name.' },
          reason: { type: 'string', description: "A person's." },
          held: { type: 'boolean', const: true, description: 'It was held back before, and is written with what else was held of it.' },
        },
        required: ['node', 'name', 'lifetime'],
      },
    },
    required: ['type', 'data'],
  },
  NodeAttributeHeld: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'NodeAttributeHeld' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          name: { type: 'string', description: 'Name of the attribute.' },
          value: { type: 'string', description: 'What is to be written; absent: it is to be cleared.' },
          delayMs: { type: 'number', description: 'How long changes of the attribute wait from now on, on all nodes, ms.' },
        },
        required: ['node', 'name', 'delayMs'],
      },
    },
    required: ['type', 'data'],
    description:
      'An agent set or cleared a transient attribute that is dampened: it is written when nothing of it has changed for that long, together with what changes of it on other nodes.',
  },
  AttributeDelaySet: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'AttributeDelaySet' },
      data: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'Name of the attribute.' },
          delayMs: { type: 'number', description: 'How long, ms; 0: no more, and what is held is written at once.' },
        },
        required: ['name', 'delayMs'],
      },
    },
    required: ['type', 'data'],
    description: 'Changes of a transient attribute wait for others of it from now on, on all nodes.',
  },
  OperationRecorded: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'OperationRecorded' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node on which it was carried out.' },
          incarnation: {
            type: 'number',
            description: 'Incarnation of the agent that reports; 0 when the server records it (timeout, lost).',
          },
          resource: { type: 'string', description: 'Id of the `lrm_resource`.' },
          class: { type: 'string', description: 'Standard of the resource agent, e.g. `ocf`.' },
          provider: { type: 'string', description: 'Of `ocf`: whose agent it is.' },
          agentType: { type: 'string', description: 'Name of the resource agent.' },
          operation: {
            type: 'string',
            description:
              'Task as executed: start, stop, monitor, promote, demote, notify, cancel, migrate_to, migrate_from, reload-agent, delete.',
          },
          intervalMs: { type: 'number', description: 'Interval of a recurring operation, ms; 0 for one that does not recur.' },
          status: { $ref: '#/components/schemas/OperationStatus', description: 'How the execution ended, whatever the agent answered.' },
          rc: { type: 'number', description: 'Return code (OCF): 0 is success, 7 not running.' },
          exitReason: { type: 'string', description: "The agent's own words; absent when it gave none." },
          callId: { type: 'number', description: 'Counts up per node and incarnation.' },
          transitionKey: { type: 'string', description: '`<graph action id>:<transition number>:<expected rc>:<epoch of the log>`.' },
          actionId: {
            type: 'string',
            description: 'The id under which the action was handed out; absent for what no transition asked for.',
          },
          resultId: {
            type: 'string',
            description: "The agent's id for this result; a result sent again is recognised by it. Absent for what the server records.",
          },
          digests: {
            $ref: '#/components/schemas/OperationDigests',
            description: 'Of the parameters that it was carried out with; absent where the server did not compute them.',
          },
          migrateSource: { type: 'string', description: 'Of a migration: the node that the resource leaves.' },
          migrateTarget: { type: 'string', description: 'Of a migration: the node that it goes to.' },
          shutdownLock: {
            type: 'number',
            description:
              'Of a stop: since when the resource is to wait for the node, which is shutting down (`shutdown-lock`), epoch seconds; absent where it is not.',
          },
          lastRcChange: { type: 'number', description: 'Epoch seconds at which the result last changed.' },
          execMs: { type: 'number', description: 'How long it took, ms.' },
          queueMs: { type: 'number', description: 'How long it waited for its turn on the node, ms.' },
          late: { type: 'boolean', description: 'Arrived for a transition that is no longer current, or from a superseded incarnation.' },
          output: { type: 'string', description: 'The last lines of output, bounded; for people.' },
        },
        required: [
          'node',
          'incarnation',
          'resource',
          'class',
          'agentType',
          'operation',
          'intervalMs',
          'status',
          'rc',
          'callId',
          'transitionKey',
          'lastRcChange',
          'execMs',
          'queueMs',
          'late',
        ],
      },
    },
    required: ['type', 'data'],
  },
  OperationStatus: {
    type: 'string',
    enum: ['done', 'cancelled', 'timeout', 'not-supported', 'error', 'error-hard', 'error-fatal', 'not-installed', 'not-connected', 'lost'],
    description: "How the execution ended; the numbers are Pacemaker's `op-status` (specification 03 §7.4).",
  },
  OperationDigests: {
    type: 'object',
    properties: {
      opDigest: { type: 'string', description: 'Of all parameters.' },
      opForceRestart: { type: 'string', description: 'Names of the parameters whose change asks for a restart, separated by blanks.' },
      opRestartDigest: { type: 'string', description: 'Of those parameters.' },
      opSecureParams: { type: 'string', description: 'Names of the parameters that are secret, separated by blanks.' },
      opSecureDigest: { type: 'string', description: 'Of all but the secret parameters.' },
    },
    required: ['opDigest'],
    description: "Digests of an operation's parameters (specification 01 §11), computed by the server when it hands out the action.",
  },
  ResultsDropped: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'ResultsDropped' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          incarnation: { type: 'number', description: 'Which joining of an agent as this node it is of, from 1.' },
          count: { type: 'number', description: 'How many there were in the report; one that is sent again counts again.' },
          resources: { type: 'array', items: { type: 'string' }, description: 'The first few of the resources.' },
        },
        required: ['node', 'incarnation', 'count', 'resources'],
      },
    },
    required: ['type', 'data'],
    description:
      'A node reported results of resources that are neither configured, nor in its history, nor were handed out to it, or of more operations of a resource than there can be. Recorded with each report that holds such results, so that the sum of the counts is what the log does not have.',
  },
  DebugOperationRequested: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'DebugOperationRequested' },
      data: {
        type: 'object',
        properties: {
          debugId: { type: 'string', description: 'Unique id of this request.' },
          node: { type: 'string', description: 'On which it is carried out.' },
          incarnation: { type: 'number', description: 'Of the node: no other life of it is asked.' },
          resource: { type: 'string', description: 'Id of the primitive, which is its history id; with `on` of the fence device.' },
          operation: {
            anyOf: [{ $ref: '#/components/schemas/DebugOperation' }, { type: 'string', const: 'on' }],
            description: '`on`: a node is switched on by a fence device.',
          },
          target: { type: 'string', description: 'With `on`: which node.' },
          timeoutMs: { type: 'number', description: 'After which the agent ends it.' },
          reason: { type: 'string', description: "A person's." },
        },
        required: ['debugId', 'node', 'incarnation', 'resource', 'operation', 'timeoutMs'],
      },
    },
    required: ['type', 'data'],
    description:
      'A person wants one operation of a resource to be carried out on a node, to see what its agent says; or a node switched on.',
  },
  DebugOperation: { type: 'string', enum: ['monitor', 'validate-all', 'start', 'stop', 'promote', 'demote'] },
  DebugOperationEnded: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'DebugOperationEnded' },
      data: {
        type: 'object',
        properties: {
          debugId: { type: 'string', description: 'Of the request.' },
          node: { type: 'string', description: 'On which it was to be carried out.' },
          incarnation: { type: 'number', description: 'Of the node, as it was asked.' },
          resource: { type: 'string', description: 'Id of the primitive, or of the fence device.' },
          operation: { type: 'string', description: 'As it was asked for.' },
          status: {
            $ref: '#/components/schemas/OperationStatus',
            description: 'How the execution ended; absent: it was never begun, and will not be.',
          },
          rc: { type: 'number', description: 'Return code, as OCF numbers them; absent: it was never begun, or did not end.' },
          exitReason: { type: 'string', description: 'What the agent said of why it failed.' },
          output: { type: 'string', description: 'The last lines of output, bounded; for people.' },
          execMs: { type: 'number', description: 'How long its execution took, ms.' },
          queueMs: { type: 'number', description: 'How long it waited on the node before, ms.' },
          resultId: { type: 'string', description: "The agent's id for this result." },
          late: {
            type: 'boolean',
            const: true,
            description: 'Nobody waited for it any more: the life of the node in which it was asked for is over.',
          },
        },
        required: ['debugId', 'node', 'incarnation', 'resource', 'operation'],
      },
    },
    required: ['type', 'data'],
    description:
      'What came of it. Where it may have changed anything the history of the resource there is deleted with it, so that it is probed.',
  },
  FailuresCleared: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'FailuresCleared' },
      data: {
        type: 'object',
        properties: {
          resource: { type: 'string', description: "As it stands in the fail count's name: the primitive's id." },
          node: { type: 'string', description: 'Name of the node.' },
          operation: { type: 'string', description: 'The one whose failures are forgotten; absent: those of all.' },
          intervalMs: { type: 'number', description: 'Interval of that operation, ms.' },
          graphAction: {
            $ref: '#/components/schemas/GraphActionRef',
            description: 'The action that it carries out; absent when a person asked for it.',
          },
          reason: { type: 'string', description: "A person's." },
        },
        required: ['resource', 'node'],
      },
    },
    required: ['type', 'data'],
    description: 'Fail counts and failed history entries of a resource on a node; of one operation when it is named.',
  },
  GraphActionRef: {
    type: 'object',
    properties: {
      transition: { type: 'number', description: 'Number of the transition.' },
      id: { type: 'number', description: 'Id of the action in its graph.' },
    },
    required: ['transition', 'id'],
    description: 'The action of a transition graph that an event carries out.',
  },
  HistoryDeleted: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'HistoryDeleted' },
      data: {
        type: 'object',
        properties: {
          resource: { type: 'string', description: 'Id of the `lrm_resource`.' },
          node: { type: 'string', description: 'Name of the node.' },
          operation: { type: 'string', description: 'The one whose history is forgotten; absent: that of all.' },
          intervalMs: { type: 'number', description: 'Interval of that operation, ms.' },
          graphAction: {
            $ref: '#/components/schemas/GraphActionRef',
            description: 'The action that it carries out; absent when a person asked for it.',
          },
          reason: { type: 'string', description: "A person's." },
        },
        required: ['resource', 'node'],
      },
    },
    required: ['type', 'data'],
    description: 'The history of a resource on a node; of one operation when it is named.',
  },
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
  AlertFailed: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'AlertFailed' },
      data: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'The program.' },
          outcome: {
            type: 'string',
            enum: ['failed', 'timeout', 'not-run'],
            description:
              '`failed`: it exited with something else than 0, or by a signal; `timeout`: it was killed as its time was up; `not-run`: it was not begun, or nobody knows.',
          },
          rc: { type: 'number', description: 'Its exit code, where it exited.' },
          detail: { type: 'string', description: 'What it printed last, or why it was not begun; cut short.' },
          alert: { type: 'string', description: 'Id of the alert.' },
          recipient: { type: 'string', description: 'Id of the recipient; absent where the alert has none.' },
          node: { type: 'string', description: 'Name of the node that ran it.' },
          run: { type: 'number', description: 'Number of the run; later ones have greater ones.' },
        },
        required: ['alert', 'node', 'outcome', 'path', 'run'],
      },
    },
    required: ['type', 'data'],
    description:
      'The program of an alert did not end well on a node for the first time since it did, or since the alert was configured. Further runs that end badly say nothing new: the list of runs has them.',
  },
  AlertRecovered: {
    type: 'object',
    properties: { type: { type: 'string', const: 'AlertRecovered' }, data: { $ref: '#/components/schemas/AlertLane' } },
    required: ['type', 'data'],
    description: 'The program of an alert that had failed on a node ended well there.',
  },
  AlertLane: {
    type: 'object',
    properties: {
      alert: { type: 'string', description: 'Id of the alert.' },
      recipient: { type: 'string', description: 'Id of the recipient; absent where the alert has none.' },
      node: { type: 'string', description: 'Name of the node that ran it.' },
      run: { type: 'number', description: 'Number of the run; later ones have greater ones.' },
    },
    required: ['alert', 'node', 'run'],
    description: 'Whose runs on a node are told one after the other.',
  },
  QuorumChanged: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'QuorumChanged' },
      data: {
        type: 'object',
        properties: {
          quorate: { type: 'boolean', description: 'Whether there is quorum from now on.' },
          votes: { type: 'number', description: 'How many votes are there.' },
          expectedVotes: { type: 'number', description: 'How many there are when all nodes are there.' },
        },
        required: ['quorate', 'votes', 'expectedVotes'],
      },
    },
    required: ['type', 'data'],
  },
  TicketChanged: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'TicketChanged' },
      data: {
        type: 'object',
        properties: {
          ticket: { type: 'string', description: 'Id of the ticket.' },
          granted: { type: 'boolean', description: 'Whether it is granted from now on; absent: that did not change.' },
          standby: { type: 'boolean', description: 'Whether it is in standby from now on; absent: that did not change.' },
          attributes: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'Other attributes of it that were set, by name.',
          },
          cleared: {
            type: 'array',
            items: { type: 'string' },
            description: 'Names of other attributes that it has no more; absent: none.',
          },
          forgotten: {
            type: 'boolean',
            const: true,
            description: 'Nothing is known of it any more: it is as if it had never been granted.',
          },
          reason: { type: 'string', description: "A person's." },
        },
        required: ['ticket'],
      },
    },
    required: ['type', 'data'],
  },
  TransitionPlanned: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'TransitionPlanned' },
      data: {
        type: 'object',
        properties: {
          number: { type: 'number', description: 'Counts from 1 in each cluster.' },
          inputVersion: { type: 'number', description: 'The stream version whose fold was scheduled.' },
          now: { type: 'number', description: 'Effective time, epoch seconds.' },
          schedulerVersion: { type: 'string', description: 'The scheduler that planned it.' },
          digest: { type: 'string', description: 'sha256 of the canonical JSON of the graph.' },
          counts: {
            type: 'object',
            properties: {
              actions: { type: 'number', description: 'Operations of resources, on nodes.' },
              pseudo: { type: 'number', description: 'Actions that nobody carries out: they order others.' },
              fencing: { type: 'number', description: 'Nodes that are to be fenced.' },
            },
            required: ['actions', 'pseudo', 'fencing'],
            description: 'How many actions of which kind the graph has.',
          },
          recheckBy: { type: 'number', description: 'Epoch seconds of the next recheck, if any.' },
          trigger: { type: 'string', description: 'What made the recomputation necessary.' },
          alsoAnswers: {
            type: 'array',
            items: { type: 'string' },
            description:
              'Correlation ids of other requests and reports that it answers, too, besides the one that it follows from and whose id it has: of at most 100.',
          },
          summary: { type: 'array', items: { type: 'string' }, description: 'One line for each resource action: what and why.' },
        },
        required: ['number', 'inputVersion', 'now', 'schedulerVersion', 'digest', 'counts', 'trigger', 'summary'],
      },
    },
    required: ['type', 'data'],
  },
  TransitionAborted: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'TransitionAborted' },
      data: {
        type: 'object',
        properties: {
          number: { type: 'number', description: 'Number of the transition.' },
          reason: { type: 'string', description: 'Why nothing new of it is begun any more.' },
        },
        required: ['number', 'reason'],
      },
    },
    required: ['type', 'data'],
  },
  TransitionCompleted: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'TransitionCompleted' },
      data: {
        type: 'object',
        properties: {
          number: { type: 'number', description: 'Number of the transition.' },
          outcome: { type: 'string', enum: ['complete', 'aborted'], description: '`aborted`: it ended before all was done.' },
          completed: { type: 'number', description: 'Actions that were done, and ended as expected.' },
          skipped: { type: 'number', description: 'Actions that were never begun.' },
          failed: { type: 'number', description: 'Actions that were handed out, and did not end as expected, or of which no answer came.' },
        },
        required: ['number', 'outcome', 'completed', 'skipped', 'failed'],
      },
    },
    required: ['type', 'data'],
  },
};
