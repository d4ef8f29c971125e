/**
 * The schema of the queue's tables, of its own: a service that uses graphile-worker beside Kirak keeps its queue in the schema of that
 * name, and drift is looked for in the schema of the models alone.
 */
export const queueSchema = "kirak_jobs";

/** The last migration of graphile-worker that this code knows; its statements are written for the tables as that one left them. */
export const queueVersion = 19;

/** Tables of graphile-worker. */
export const historyTable = `${queueSchema}.migrations`;
export const jobsTable = `${queueSchema}._private_jobs`;
export const namesTable = `${queueSchema}._private_tasks`;
export const queuesTable = `${queueSchema}._private_job_queues`;
/** Its view, without payloads. */
export const jobsView = `${queueSchema}.jobs`;

/** Processes that run jobs, and when each was last heard of. */
export const workersTable = `${queueSchema}.workers`;

/** The library hides their rows from all but their owner: a role that may use them would find nothing to do, and not be told. */
const hidingTables = [jobsTable, namesTable, queuesTable, `${queueSchema}._private_known_crontabs`];

/** What we add: jobs that run and jobs that are dead are few among those that wait, and asked for again and again. */
export const ownTables = `create table if not exists ${workersTable} (id text primary key, seen_at timestamptz not null);
create index if not exists jobs_running_index on ${jobsTable} (locked_by) where locked_by is not null;
create index if not exists jobs_dead_index on ${jobsTable} (id) where locked_by is null and attempts >= max_attempts;
${hidingTables.map((table) => `alter table ${table} disable row level security`).join(";\n")}`;
