export function before_create(page: { text?: string }) {
  if (page.text === "") throw new Error("empty");
}
