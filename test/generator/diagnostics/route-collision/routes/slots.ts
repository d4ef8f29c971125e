import { defineRoute } from "kirak";

const plain = { answer: {}, handler: () => null } as const;

export default [
  defineRoute({ method: "GET", path: "/slots/:id", access: ["*"], answer: {}, handler: () => plain }),
  defineRoute({ method: "DELETE", path: "/slots/:id", access: ["*"], answer: {}, handler: () => plain }),
  defineRoute({ method: "GET", path: "/slots/:id", access: ["*"], answer: {}, handler: () => plain }),
  defineRoute({ method: "GET", path: "/slots/free", access: ["*"], answer: {}, handler: () => plain }),
  defineRoute({ method: "POST", path: "/slots/:slot_id", access: ["*"], answer: {}, handler: () => plain }),
  defineRoute({ method: "GET", path: "/:any", access: ["*"], answer: {}, handler: () => plain }),
  defineRoute({ method: "GET", path: "/graphql/schema", access: ["*"], answer: {}, handler: () => plain }),
  defineRoute({ method: "GET", path: "/Admin/people", access: ["*"], answer: {}, handler: () => plain }),
  defineRoute({ method: "POST", path: "/storage/:what", access: ["*"], answer: {}, handler: () => plain }),
  defineRoute({ method: "POST", path: "/storage/fetch", access: ["*"], answer: {}, handler: () => plain }),
  defineRoute({ method: "POST", path: "/storage/borrow", access: ["*"], answer: {}, handler: () => plain }),
];
