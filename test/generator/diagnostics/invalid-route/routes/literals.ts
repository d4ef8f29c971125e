import { defineRoute } from "kirak";

const method = "GET";
const staff = ["staff"];
const shared = { answer: {}, handler: () => null } as const;

export default [
  defineRoute({ method, path: "/a", access: ["*"], ...shared }),
  defineRoute({ method: "GET", path: `/a/${method}`, access: ["*"], answer: {}, handler: () => null }),
  defineRoute({ method: "GET", path: "/b", access: [...staff], answer: {}, handler: () => null }),
  defineRoute({ ...shared, method: "GET", path: "/c", access: ["*"] }),
  defineRoute({ method: "GET", path: "/d", answer: {}, handler: () => null }),
  defineRoute({ method: "GET", path: "/e", access: "staff", answer: {}, handler: () => null }),
];
