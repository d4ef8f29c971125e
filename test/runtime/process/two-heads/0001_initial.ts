export { initial as migration } from "../../database/sample-migrations.ts";
