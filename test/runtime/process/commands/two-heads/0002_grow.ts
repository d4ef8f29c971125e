export { grow as migration } from "../../../migrations/runner/sample-migrations.ts";
