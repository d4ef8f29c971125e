import type { Page } from "playwright-core";
import { password } from "../support/accounts.ts";

// What users see of a page, and do on it.

export const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });

/** Waits for an error. */
export const alert = (page: Page, text: string | RegExp) =>
  page.getByRole("alert").filter({ hasText: text }).waitFor();

/** Waits for the outcome of an action. */
export const status = (page: Page, text: string | RegExp) =>
  page.getByRole("status").filter({ hasText: text }).waitFor();

export const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true }).click();

/** Fills in the field with this label in a section of the page. */
export const fill = (page: Page, section: string, label: string, text: string) =>
  page
    .getByRole("region", { name: section, exact: true })
    .getByRole("textbox", { name: label, exact: true })
    .fill(text);

/** Signs in with the password, on the sign-in page. */
export async function signIn(page: Page, email: string, secret = password): Promise<void> {
  await fill(page, "With a password", "E-mail address", email);
  await fill(page, "With a password", "Password", secret);
  await press(page, "Sign in");
}
