import type { ReadName, Reads } from "#runtime/monitoring/records/reads";
import { MonitoringFile } from "#runtime/monitoring/worker/monitoring-file";

/** The file of a store in this process, and what it says in the log. */
export function openStore(path: string, { retentionDays = 7, maxDatabaseMb = 200 } = {}) {
  const said: string[] = [];
  const file = new MonitoringFile({ path, retentionDays, maxDatabaseMb }, (_, message) => said.push(message));
  file.start();
  const read = <Name extends ReadName>(name: Name, asked: Reads[Name]["asks"]): Reads[Name]["answers"] =>
    JSON.parse(file.read({ kind: "read", id: 1, until: 0, name, asked }));
  return { file, said, read };
}
