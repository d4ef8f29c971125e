import { defineRoute } from "kirak";

export default defineRoute({
  method: "GET",
  path: "/classes",
  access: ["*"],
  rate_limit: { enabled: false },
  answer: { type: "array", items: { type: "string" } },
  handler: () => ["first"],
});
