-- The queue of an older version: graphile-worker's tables after its migration 19, as far as statements name them, with what Kirak added.
create schema kirak_jobs;
create table kirak_jobs.migrations (id int primary key, ts timestamptz not null default now(), breaking boolean not null default false);
insert into kirak_jobs.migrations (id) select generate_series(1, 19);
create table kirak_jobs.workers (id text primary key, seen_at timestamptz not null);
create table kirak_jobs._private_tasks (id int generated always as identity primary key, identifier text not null unique);
create table kirak_jobs._private_job_queues (id int generated always as identity primary key, queue_name text not null unique, locked_at timestamptz, locked_by text);
create table kirak_jobs._private_known_crontabs (identifier text primary key, known_since timestamptz not null, last_execution timestamptz);
create table kirak_jobs._private_jobs (id bigint generated always as identity primary key, job_queue_id int, task_id int not null,
  payload json not null default '{}', priority smallint not null default 0, run_at timestamptz not null default now(),
  attempts smallint not null default 0, max_attempts smallint not null default 25, last_error text, created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(), key text unique, locked_at timestamptz, locked_by text, revision int not null default 0, flags jsonb,
  is_available boolean not null generated always as (locked_at is null and attempts < max_attempts) stored);
create index jobs_running_index on kirak_jobs._private_jobs (locked_by) where locked_by is not null;
create index jobs_dead_index on kirak_jobs._private_jobs (id) where locked_by is null and attempts >= max_attempts;
create type kirak_jobs.job_spec as (identifier text, payload json);
create view kirak_jobs.jobs as select jobs.id, queue_name, tasks.identifier as task_identifier from kirak_jobs._private_jobs jobs
  join kirak_jobs._private_tasks tasks on tasks.id = task_id left join kirak_jobs._private_job_queues queues on queues.id = job_queue_id;
create function kirak_jobs.add_jobs(specs kirak_jobs.job_spec[], preserve boolean default false) returns setof kirak_jobs._private_jobs
  language sql as 'select * from kirak_jobs._private_jobs';
create function kirak_jobs.remove_job(job_key text) returns kirak_jobs._private_jobs
  language sql as 'select * from kirak_jobs._private_jobs limit 1';
insert into kirak_jobs._private_tasks (identifier) values ('gone'), ('remind'), ('tidy');
insert into kirak_jobs._private_job_queues (queue_name) values ('line');
insert into kirak_jobs._private_known_crontabs values ('tidy', '2026-01-01', '2026-01-02T03:04:00Z'), ('new', '2026-01-01', null);
delete from kirak_jobs._private_tasks where identifier = 'gone';
insert into kirak_jobs._private_jobs (task_id, job_queue_id, payload, run_at, attempts, max_attempts, key, last_error, locked_at, locked_by) values
  (2, 1, '{"n": 1}', '2999-01-01', 1, 10, 'remind a b', 'not today', null, null),
  (3, null, '{"_cron": {"ts": "2026-01-02T03:04:00.000Z", "backfilled": false}}', '2026-01-02T03:04:00Z', 0, 3, null, null, null, null),
  (2, 1, '{"n": 2}', '2026-01-01', 1, 10, null, null, now(), 'an older worker'),
  (2, null, '{"n": 3, "_cron": 1}', '2026-01-01', 5, 5, 'remind dead', 'broken', null, null);
