/** For how long a run that nobody began waits for its node, ms: after that its news is old. */
export const RUN_WAITS_MS = 600_000;

/** What happened longer ago when it is looked at is told to nobody: no worker ran, and its news is old. ms */
const TOO_OLD_MS = 3_600_000;

/** Runs that wait for one node; further ones are left out, and counted. */
export const MOST_WAITING = 1_000;

/** How often a run is given to a node that knows nothing of it any more: so often it may have ended the agent. */
const MOST_TRIES = 5;

/** Runs of one alert and recipient that a node is given at a time. */
const MOST_OF_ONE = 5;

/** Longest text that is kept of how a run ended, characters. */
export const DETAIL_CHARS = 4_096;

const LATELY = `clock_timestamp() - interval '${String(RUN_WAITS_MS)} milliseconds'`;
const FRESH = `at > ${LATELY}`;

/** $1 cluster. */
export const PLACE = 'SELECT version FROM alert_places WHERE cluster_id = $1';

/** $1 cluster, $2 version: of one that has no place. */
export const BEGIN = 'INSERT INTO alert_places (cluster_id, version) VALUES ($1, $2) ON CONFLICT DO NOTHING';

/**
 * $1 cluster, $2 version before, $3 version after, $4 runs. Moves the place, adds what is to be run for the events between, and counts what is left out as its news is old or too many wait for their node (of each alert and recipient the newest stands among the runs, so that the log says that it fails); or does nothing of it:
 * nothing is told twice, whoever looks at the same events. No row: somebody else was here. How old something is only the clock by which it is dated can say.
 */
export const ADVANCE = `
WITH asked AS (
  SELECT run.*, (run.call ->> 'atMs')::numeric > extract(epoch FROM clock_timestamp()) * 1000 - ${String(TOO_OLD_MS)} AS is_news
  FROM jsonb_to_recordset($4::jsonb) AS run (number integer, node text, alert text, recipient text, kind text, version bigint, call jsonb)
), given AS (
  SELECT asked.*, row_number() OVER (PARTITION BY node ORDER BY number) AS in_turn FROM asked WHERE is_news
), waiting AS (
  SELECT node, count(*) AS count FROM alert_runs
  WHERE cluster_id = $1 AND outcome IN ('waiting', 'given') AND node IN (SELECT node FROM given) GROUP BY node
), fitting AS (
  SELECT given.* FROM given LEFT JOIN waiting USING (node) WHERE coalesce(waiting.count, 0) + in_turn <= ${String(MOST_WAITING)}
), left_out AS (
  SELECT jsonb_array_length($4::jsonb) - (SELECT count(*) FROM fitting) AS count
), moved AS (
  UPDATE alert_places SET version = $3, dropped = dropped + left_out.count,
    dropped_at = CASE WHEN left_out.count > 0 THEN clock_timestamp() ELSE dropped_at END
  FROM left_out WHERE cluster_id = $1 AND version = $2 RETURNING cluster_id
), added AS (
  INSERT INTO alert_runs (cluster_id, node, alert, recipient, kind, version, test, call)
  SELECT $1, node, alert, recipient, kind, version, false, call FROM fitting WHERE EXISTS (SELECT FROM moved) ORDER BY number
), told AS (
  INSERT INTO alert_runs (cluster_id, node, alert, recipient, kind, version, test, call, outcome, ended_at, detail)
  SELECT DISTINCT ON (node, alert, recipient) $1, node, alert, recipient, kind, version, false, call, 'not-run', clock_timestamp(),
    CASE WHEN is_news THEN 'it was left out, perhaps others before it, as ${String(MOST_WAITING)} runs wait for ' || node || ' already'
    ELSE 'it was left out, perhaps others before it, as it happened more than an hour before a worker looked at it' END
  FROM asked WHERE NOT EXISTS (SELECT FROM fitting WHERE fitting.number = asked.number) AND EXISTS (SELECT FROM moved)
  ORDER BY node, alert, recipient, number DESC
)
SELECT FROM moved`;

/** Runs whose ids may have been given in what a log lost. */
const MOST_LOST = 100_000;

/** Takes so many ids that none is given again, which programs (`CRM_alert_node_sequence`) and agents take for another run: a database that was restored gives on where its copy was made. By an account that may do no more than take the next one. */
export const LEAP = `SELECT max(nextval(pg_get_serial_sequence('alert_runs', 'id'))) FROM generate_series(1, ${String(MOST_LOST)})`;

/** $1 cluster, $2 runs. */
export const ADD_TESTS = `
INSERT INTO alert_runs (cluster_id, node, alert, recipient, kind, version, test, call)
SELECT $1, node, alert, recipient, kind, version, true, call
FROM jsonb_to_recordset($2::jsonb) AS run (number integer, node text, alert text, recipient text, kind text, version bigint, call jsonb)
ORDER BY number
RETURNING id`;

/**
 * $1 cluster, $2 node, $3 runs that its agent has, $4 most. The oldest first; of each alert and recipient only a few, so that one whose program hangs does not keep the others from their turn. What was given and the agent does
 * not have went with an answer that was lost, or with a process that has ended; what went so too often is not given any more, and keeps nobody from their turn either.
 */
export const GIVE = `
UPDATE alert_runs SET outcome = 'given', given_at = clock_timestamp(), tries = tries + 1
WHERE outcome IN ('waiting', 'given') AND id IN (
  SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY alert, recipient ORDER BY id) AS in_turn
    FROM alert_runs
    WHERE cluster_id = $1 AND node = $2 AND outcome IN ('waiting', 'given') AND ${FRESH}
      AND (tries < ${String(MOST_TRIES)} OR id = ANY ($3::bigint[]))
  ) AS open
  WHERE in_turn <= ${String(MOST_OF_ONE)} AND NOT id = ANY ($3::bigint[])
  ORDER BY id LIMIT $4
)
RETURNING id, alert, recipient, call`;

/**
 * $1 cluster, $2 node, $3 ends. What has ended before stays as it was told first, but for what was only taken to be lost: that is looked at once more, unless a later run of the same alert and recipient has ended since, which
 * tells more.
 */
export const END = `
UPDATE alert_runs AS run SET outcome = told.outcome, rc = told.rc, detail = told.detail, exec_ms = told.exec_ms, ended_at = clock_timestamp(),
  noted = run.noted AND EXISTS (
    SELECT FROM alert_runs AS later
    WHERE later.cluster_id = run.cluster_id AND later.node = run.node AND later.alert = run.alert
      AND later.recipient IS NOT DISTINCT FROM run.recipient AND later.id > run.id AND later.ended_at IS NOT NULL)
FROM jsonb_to_recordset($3::jsonb) AS told (id bigint, outcome text, rc integer, detail text, exec_ms integer)
WHERE run.id = told.id AND run.cluster_id = $1 AND run.node = $2
  AND (run.outcome IN ('waiting', 'given') OR (run.outcome = 'not-run' AND run.given_at IS NOT NULL))`;

/** Nodes that have something to run that was not given yet. */
export const NODES_WAITED_FOR = `SELECT DISTINCT cluster_id, node FROM alert_runs WHERE outcome = 'waiting' AND ${FRESH}`;

/** Nobody is told what has waited for too long, or was given again and again in vain. */
export const EXPIRE = `
UPDATE alert_runs SET outcome = 'not-run', ended_at = clock_timestamp(), detail = CASE
  WHEN outcome = 'waiting' THEN 'the agent of ' || node || ' did not ask for it within ${String(RUN_WAITS_MS / 60_000)} minutes: it is away, or older than this server'
  ELSE 'the agent of ' || node || ' took it, and did not say how it ended: it was ended, perhaps, and the program may have run' END
WHERE (outcome = 'waiting' AND NOT ${FRESH}) OR (outcome = 'given' AND given_at <= ${LATELY})`;

/** One at a time looks what has ended: else one could say what another has seen changed. */
export const ALONE = 'SELECT pg_try_advisory_xact_lock(1398360398, 0) AS alone';

/** Whether anything has ended that nobody has looked at yet. */
export const ANY_UNNOTED = 'SELECT EXISTS (SELECT FROM alert_runs WHERE ended_at IS NOT NULL AND NOT noted) AS any';

/** $1 most, $2 clusters that are passed over. Of what has ended and nobody has looked at yet the newest run of each alert and recipient on a node. */
export const UNNOTED = `
SELECT DISTINCT ON (cluster_id, node, alert, recipient) id, cluster_id, node, alert, recipient, call ->> 'path' AS path, outcome, rc, detail
FROM alert_runs WHERE ended_at IS NOT NULL AND NOT noted AND NOT cluster_id = ANY ($2)
ORDER BY cluster_id, node, alert, recipient, id DESC LIMIT $1`;

/** $1 newest runs that were looked at: those before them are old news. */
export const NOTED = `
UPDATE alert_runs AS run SET noted = true
FROM jsonb_to_recordset($1::jsonb) AS seen (id bigint, cluster text, node text, alert text, recipient text)
WHERE run.cluster_id = seen.cluster AND run.node = seen.node AND run.alert = seen.alert AND run.recipient IS NOT DISTINCT FROM seen.recipient
  AND run.id <= seen.id AND run.ended_at IS NOT NULL AND NOT run.noted`;

/** $1 cluster, $2 alert or null, $3 outcomes or null, $4 ids before this, $5 most. The newest first. */
export const LIST = `
SELECT id, node, alert, recipient, kind, version, test, call ->> 'path' AS path, outcome, at, given_at, tries, ended_at, rc, detail, exec_ms
FROM alert_runs
WHERE cluster_id = $1 AND ($2::text IS NULL OR alert = $2) AND ($3::text[] IS NULL OR outcome = ANY ($3)) AND id < $4
ORDER BY id DESC LIMIT $5`;

/** $1 cluster, $2 ids. */
export const SOME = `
SELECT id, node, alert, recipient, kind, version, test, call ->> 'path' AS path, outcome, at, given_at, tries, ended_at, rc, detail, exec_ms
FROM alert_runs WHERE cluster_id = $1 AND id = ANY ($2::bigint[]) ORDER BY id`;

/** $1 cluster. Of the last day. */
export const TALLY = `
SELECT (SELECT count(*) FROM alert_runs WHERE cluster_id = $1 AND outcome IN ('failed', 'timeout', 'not-run') AND at > clock_timestamp() - interval '1 day')::integer AS failed,
  (SELECT dropped FROM alert_places WHERE cluster_id = $1)::integer AS dropped,
  (SELECT dropped_at FROM alert_places WHERE cluster_id = $1) AS dropped_at`;

/** Of clusters that are no more. */
export const FORGET = 'DELETE FROM alert_places WHERE cluster_id IN (SELECT id FROM clusters WHERE deleted_at IS NOT NULL)';
