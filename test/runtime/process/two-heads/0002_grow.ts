export { grow as migration } from "../../database/sample-migrations.ts";
