import { defineRoute } from "kirak";

const classes = defineRoute({
  method: "GET",
  path: "/classes",
  access: ["*"],
  rate_limit: { enabled: false },
  answer: { type: "array", items: { type: "string" } },
  handler: () => ["first"],
});

export default classes;
