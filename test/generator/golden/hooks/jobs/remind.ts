import { defineJob } from "kirak";

export default defineJob({
  payload: { type: "object", properties: { page: { type: "integer" } }, required: ["page"] },
  async run({ page }, { jobs }) {
    if (page < 3) await jobs.enqueue("remind", { page: page + 1 }, { key: "next" });
    await jobs.enqueue("tidy-up", {});
  },
});
