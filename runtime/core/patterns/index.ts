export { type LinearRegExp, linearRegExp } from "./linear-reg-exp.ts";
