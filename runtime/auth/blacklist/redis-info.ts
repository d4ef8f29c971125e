/**
 * The id that a Redis takes anew at each start, and the one that it takes when it becomes a primary, out of its `INFO`. The
 * sentinel holds them: it says nothing of a Redis that began again with an old snapshot, nor of a replica that took over,
 * since both may lack the newest keys.
 */
export function identityOf(info: string): string {
  return `${fieldOf(info, "run_id")}:${fieldOf(info, "master_replid")}`;
}

/** Whether it makes room by dropping keys. */
export function mayEvict(info: string): boolean {
  const policy = fieldOf(info, "maxmemory_policy");
  return policy !== "" && policy !== "noeviction" && fieldOf(info, "maxmemory") !== "0";
}

function fieldOf(info: string, field: string): string {
  return new RegExp(`^${field}:(\\S*)`, "m").exec(info)?.[1] ?? "";
}
