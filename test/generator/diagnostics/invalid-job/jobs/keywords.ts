import { defineJob } from "kirak";

export default defineJob({
  payload: { type: "object", required: ["id"], properties: { id: { type: "integer", mininum: 1 } } },
  run: () => {},
});
