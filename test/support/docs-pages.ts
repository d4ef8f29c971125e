import type { Locator, Page } from "playwright-core";

/** Opens the list of a tag of the API reference, and an operation in it. */
export async function openOperation(page: Page, tag: string, operationId: string): Promise<Locator> {
  const operation = page.locator(`#operations-${tag}-${operationId}`);
  if ((await operation.count()) === 0) await page.locator(`#operations-tag-${tag}`).click();
  await operation.locator(".opblock-summary").click();
  return operation;
}

/** Sends the request of an open operation as it is filled in. Returns its URL and the response's status and body. */
export async function tryOperation(operation: Locator): Promise<readonly string[]> {
  await operation.getByRole("button", { name: "Try it out" }).click();
  await operation.getByRole("button", { name: "Execute" }).click();
  const response = operation.locator(".live-responses-table");
  return Promise.all([
    operation.locator(".request-url pre").innerText(),
    response.locator("tbody .response-col_status").innerText(),
    response.locator(".highlight-code").first().innerText(),
  ]);
}

/** Enters a token, or forgets it with null. */
export async function authorize(page: Page, token: string | null): Promise<void> {
  await page.locator("button.authorize").click();
  const form = page.locator("form", { hasText: "bearer" });
  if (token === null) await form.getByRole("button", { name: "Remove authorization" }).click();
  else {
    await form.locator("input").fill(token);
    await form.locator("button[type=submit]").click();
  }
  await page.locator(".close-modal").click();
}

/** Writes a query in GraphiQL, as from a keyboard, and returns the proposals for its end. */
export async function typeQuery(page: Page, text: string): Promise<readonly string[]> {
  await page.locator(".graphiql-query-editor .CodeMirror").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
  const proposals = page.locator(".CodeMirror-hint");
  await page.keyboard.press("Control+Space");
  await proposals.first().waitFor();
  return proposals.allInnerTexts();
}

/** Runs the query, and returns what GraphiQL shows. */
export async function runQuery(page: Page): Promise<string> {
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Execute query/ }).click();
  const result = page.locator(".result-window .CodeMirror-code");
  await result.filter({ hasText: /\w/ }).waitFor();
  return result.innerText();
}
