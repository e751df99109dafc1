/** Bounds of the protocol; whoever sends keeps them, whoever receives refuses what is beyond. */
export const LIMITS = {
  /** Characters of a name or an id. */
  nameChars: 1_024,
  /** Characters of a list of parameters' names: four times what any known agent has. */
  parameterListChars: 4_096,
  /** Characters of an exit reason. */
  reasonChars: 4_096,
  /** Characters of an operation's output. */
  outputChars: 65_536,
  /** Characters of an attribute's name. */
  attributeNameChars: 255,
  /** Characters of an attribute's value. */
  valueChars: 65_536,
  /** Characters of an element that a tool has written. */
  documentChars: 524_288,
  /** Characters of a roll call's id. */
  rollCallChars: 64,
  /** Action ids or resources that a poll names. */
  listEntries: 10_000,
  /** Actions that an agent carries out at a time: one answer may have to carry them all. */
  actionsAtATime: 1_000,
  /** Results of one request. */
  results: 1_000,
  /** The last second that a clock of Linux can show, however wrong it is (2262); it takes none before 1970. */
  clockS: 9_223_372_036,
  /** Longest duration, ms: of what began when such a clock did. */
  durationMs: 9_223_372_036_000,
  /** How long changes of an attribute may wait for others, ms: a day. */
  attributeDelayMs: 86_400_000,
  /** Attribute changes of one request. */
  changes: 1_000,
  /** Private attributes of a node. */
  privateAttributes: 1_000,
  /** Longest time-out of a watchdog, ms. */
  watchdogMs: 86_400_000,
  /** Longest lease, ms. */
  leaseMs: 86_400_000,
  /** Longest wait of a poll, ms. */
  waitMs: 3_600_000,
  /** Runs of alerts that an agent has at a time. */
  alerts: 100,
  /** Characters of the path of an alert's program. */
  alertPathChars: 4_096,
  /** Troubles that a poll tells of. */
  troubles: 100,
  /** Characters of the name of an agent, of a provider, or of a part of its meta-data. */
  agentNameChars: 255,
  /** Characters of a digest. */
  digestChars: 128,
  /** Standards whose agents a node names. */
  agentClasses: 16,
  /** Resource and fence agents that a node names. */
  installedAgents: 2_000,
  /** Agents whose meta-data is asked for at a time. */
  wantedAgents: 20,
  /** Characters of a description in meta-data. */
  descriptionChars: 16_384,
  /** Parameters of an agent, its actions, or the values of one parameter. */
  agentParts: 500,
  /** Faults of a request that its refusal names. */
  faults: 20,
  /** Bytes of a request. */
  requestBytes: 1024 * 1024,
} as const;

/** An agent whose answer is late by this part of its lease gives it up, and asks the next server: so an api that lets agents wait for longer serves nobody. */
export const GIVEN_UP_SHARE = 1 / 6;

/** An answer to a join is given up after this time, ms, whatever the lease: an agent has several servers to try while the lease of an earlier session lasts. */
export const JOIN_GIVEN_UP_MS = 4_000;
