import { defineRoute } from "kirak";

/** Below the slug of a model, and of one path two methods. */
export default [
  defineRoute({
    method: "PUT",
    path: "/notes/:id/star",
    access: ["signed_in"],
    rate_limit: { max_requests: 10, window_seconds: 60, per: "user" },
    params: { type: "object", properties: { id: { type: "integer" } } },
    answer: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
    handler: ({ params }) => ({ id: params.id }),
  }),
  defineRoute({
    method: "DELETE",
    path: "/notes/:id/star",
    access: ["staff", "admin"],
    answer: { type: "null" },
    handler() {},
  }),
];
