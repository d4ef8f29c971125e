export { endOfString, numberOf, parseExactly, parseStored } from "./exact-json.ts";
