import { notice, type Page } from "./page.ts";

const tooManyRequests = notice(
  "Too many requests",
  "There were too many from your network within a short time. Please wait a little, then load this page again.",
);

/** In place of any page, where the limit of its route was exceeded. */
export function tooManyRequestsPage(): Page {
  return tooManyRequests;
}
