import { defineRoute } from "kirak";

const type = "text/csv\r\nX-Own: 1";
const shared = { method: "GET", access: ["*"] } as const;

export default [
  defineRoute({
    method: "GET",
    path: "/k",
    access: ["*"],
    answer: { content_type: type },
    handler: () => "",
  }),
  defineRoute({
    method: "GET",
    path: "/l",
    access: ["*"],
    answer: { content_type: "csv", type: "string" },
    handler: () => "",
  }),
  defineRoute({
    method: "GET",
    path: "/m",
    access: ["*"],
    answer: { content_type: "application/ld+json; charset=utf-8" },
    handler: () => "",
  }),
  defineRoute({
    method: "GET",
    path: "/n",
    access: ["*"],
    answer: { content_type: `text/${shared.method}` },
    handler: () => "",
  }),
];
