export { grow as migration } from "../../../migrations/sample-migrations.ts";
