import { defineJob } from "kirak";

export default defineJob({
  payload: { type: "object" },
  cron: "30 4 * * *",
  run(_payload, { log }) {
    log.info("tidied up");
  },
});
