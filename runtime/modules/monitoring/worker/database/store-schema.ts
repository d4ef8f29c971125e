/**
 * Migrations of the schema. The version of a file is the number of applied steps. A released step never changes.
 * Moments are milliseconds since 1970. Durations are whole microseconds, so that their sums are exact.
 */
export const schemaSteps: readonly string[] = [
  `
  create table request_series (
    id integer primary key, method text not null, route text not null, model text, operation text
  );
  create unique index request_series_names
    on request_series (method, route, ifnull(model, ''), ifnull(operation, ''));

  -- Ids are bytes or strings. A blob column converts neither.
  create table http_requests (
    id integer primary key, at integer not null, series_id integer not null, status integer not null,
    duration_us integer not null, bytes integer not null, request_id blob not null, user_id blob, role text,
    error_code text
  );
  create index http_requests_by_time on http_requests (at, series_id, status, duration_us);

  -- Hashes of the request ids of one batch, in the order of its rows. The second step replaces them by an index.
  create table request_keys (first_id integer primary key, last_id integer not null, hashes blob not null);

  create table request_steps (http_request_id integer primary key, steps text not null);
  create table request_errors (
    http_request_id integer primary key, code text not null, message text not null, stack text
  );

  -- Figures of all requests of one minute.
  create table request_minutes (
    minute integer primary key, requests integer not null, errors_4xx integer not null, errors_5xx integer not null,
    duration_us integer not null, max_us integer not null, histogram text not null, sketch blob not null
  );

  create table logs (
    id integer primary key, at integer not null, level text not null, message text not null, request_id blob,
    fields text not null
  );
  create index logs_by_time on logs (at);
  create index logs_by_request on logs (request_id) where request_id is not null;

  create table ai_runs (
    id integer primary key, run_id text not null unique, at integer not null, agent text not null, model text not null,
    provider text not null, status text not null, input_tokens integer not null, output_tokens integer not null,
    cost_usd real not null, duration_us integer not null, turns integer not null, error_code text,
    conversation_id text, user_id text
  );
  create index ai_runs_by_time on ai_runs (at);

  create table ai_tool_calls (
    id integer primary key, ai_run_id integer not null, at integer not null, tool text not null, duration_us integer not null,
    status text not null, error_message text
  );
  create index ai_tool_calls_by_run on ai_tool_calls (ai_run_id);
  create index ai_tool_calls_by_time on ai_tool_calls (at);

  create table mcp_calls (
    id integer primary key, at integer not null, server text not null, tool text not null, operation_ref text, caller text,
    status text not null, error_code text, confirmation text, duration_us integer not null
  );
  create index mcp_calls_by_time on mcp_calls (at);
  `,
  `
  drop table request_keys;
  create index http_requests_by_request on http_requests (request_id);
  `,
];
