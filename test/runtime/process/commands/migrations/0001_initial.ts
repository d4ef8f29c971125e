export { initial as migration } from "../../../migrations/sample-migrations.ts";
