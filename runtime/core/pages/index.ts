/** Builds HTML pages and sends them. */
export { escaped, notice, type Page, page, sendPage } from "./page.ts";
