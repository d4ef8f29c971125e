import { defineRoute } from "kirak";
import { imported } from "./values.ts";

const shared = [defineRoute({ method: "GET", path: "/s", access: ["*"], answer: {}, handler: () => null })];
let changed = defineRoute({ method: "GET", path: "/t", access: ["*"], answer: {}, handler: () => null });
changed = defineRoute({ method: "GET", path: "/u", access: ["*"], answer: {}, handler: () => null });

const all = [imported, ...shared, changed];
export default all;
