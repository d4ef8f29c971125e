export { initial as migration } from "../../../migrations/runner/sample-migrations.ts";
