/** What pages for people are put together from, and how they are sent. */
export { escaped, notice, type Page, page, sendPage } from "./page.ts";
