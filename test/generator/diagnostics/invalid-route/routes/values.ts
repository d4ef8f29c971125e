import { defineRoute } from "kirak";

const common = { answer: {}, handler: () => null } as const;

export const more = common;

export default [
  defineRoute({ method: "HEAD", path: "/a", access: ["*"], answer: {}, handler: () => null }),
  defineRoute({ method: "GET", path: "/b/", access: [], answer: {}, handler: () => null }),
  defineRoute({ method: "GET", path: "/c", access: ["staff", "staff"], answer: {}, handler: () => null }),
  defineRoute({
    method: "GET",
    path: "/d",
    access: ["*"],
    rate_limit: { max_requests: 0, window_seconds: 1.5, per: "model", limit: 3, enabled: true },
    answer: {},
    handler: () => null,
  }),
];
