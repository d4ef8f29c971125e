export { endOfString, numberOf, parseExactly, parseStored } from "./exact-json.ts";
export { type LinearRegExp, linearRegExp } from "./linear-reg-exp.ts";
