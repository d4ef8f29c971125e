import { defineJob } from "kirak";

const job = defineJob({
  payload: { type: "object", required: ["id"], properties: { id: { type: "integer" } } },
  cron: "0 25 * * *",
  run: () => {},
});

export default job;
