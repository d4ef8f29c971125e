import { defineJob } from "kirak";

export default defineJob({ payload: { type: "object" }, run() {} });
