export { fill as before_create } from "../filling.ts";
