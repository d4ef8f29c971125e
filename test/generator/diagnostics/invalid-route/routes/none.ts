import { defineRoute } from "kirak";

defineRoute({ method: "GET", path: "/a", access: ["*"], answer: {}, handler: () => null });
