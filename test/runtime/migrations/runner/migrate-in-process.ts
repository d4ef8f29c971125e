import pino from "pino";
import { type MigrateOptions, migrate } from "#runtime/migrations/runner/index";

/** Applies the migrations that it receives, and sends its log; run by a test as a process of its own. */
const url = process.argv[2] ?? "";
const log = pino({ level: "info" }, { write: (line) => process.send?.(JSON.parse(line).msg) });

process.once("message", ({ migrations, timing }: Pick<MigrateOptions, "migrations" | "timing">) => {
  void migrate({ url, log, migrations, timing: { pollMs: 10, ...timing } }).then(() => process.disconnect());
});
