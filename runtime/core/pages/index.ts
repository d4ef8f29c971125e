/** Builds HTML pages and sends them, and the files of pages. */
export { escaped, notice, type Page, page, sendPage } from "./page.ts";
export { type PageFile, servePageFiles } from "./page-files.ts";
