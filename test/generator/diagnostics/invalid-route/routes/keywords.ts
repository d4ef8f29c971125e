import { defineRoute } from "kirak";

const shared = { maxlength: 7 };

export default [
  defineRoute({
    method: "POST",
    path: "/keywords",
    access: ["*"],
    query: { type: "object", properties: { maxlength: { type: "string", maxlength: 7 } } },
    body: {
      type: "object",
      properties: {
        lines: { type: "array", items: { anyOf: [{ type: "string" }, { minimun: 1, enum: [{ a: 1 }] }] } },
      },
      additionalProperties: { colour: "red", default: { any: 1 } },
      ...shared,
    } as const,
    answer: {},
    handler: () => null,
  }),
];
