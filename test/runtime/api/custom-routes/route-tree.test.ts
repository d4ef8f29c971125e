import { expect, test } from "vitest";
import { RouteTree } from "#runtime/api/custom-routes/custom-routes";

// biome-ignore format: many a line
const lines = [
  "GET /slots", "GET /slots/:id", "DELETE /slots/:id", "GET /slots/free/now", "GET /slots/:id/:day", "POST /:city/import", "GET /constructor",
];
const tree = new RouteTree(
  lines.map((line) => {
    const [method = "", path = ""] = line.split(" ");
    return { method, path };
  }),
);

function found(path: string): string | null {
  const at = tree.find(path);
  if (at === null) return null;
  const routes = [...at.routes].map(([method, route]) => `${method} ${route.path}`);
  return [...routes, ...at.texts.map((text) => JSON.stringify(text))].join(", ");
}

test.each([
  ["/slots", "GET /slots"],
  ["/slots/7", 'GET /slots/:id, DELETE /slots/:id, "7"'],
  ["/slots/free/now", "GET /slots/free/now"],
  // The fixed segment has no match, so the parameter is tested next.
  ["/slots/free/later", 'GET /slots/:id/:day, "free", "later"'],
  ["/slots/import", 'GET /slots/:id, DELETE /slots/:id, "import"'],
  ["/berlin/import", 'POST /:city/import, "berlin"'],
  // Decoded once, and a slash that was encoded separates nothing.
  ["/slots/a%2Fb%2525", 'GET /slots/:id, DELETE /slots/:id, "a/b%25"'],
  ["/slots/caf%C3%A9", 'GET /slots/:id, DELETE /slots/:id, "café"'],
  ["/sl%6Fts", "GET /slots"],
  ["/constructor", "GET /constructor"],
  ["/toString", null],
  ["/__proto__/import", 'POST /:city/import, "__proto__"'],
  ["/Slots", null],
  ["/slots/", null],
  ["/slots//now", null],
  ["//slots", null],
  ["/", null],
  ["/slots/7/monday/noon", null],
  ["/berlin", null],
  // No text, and one that nothing stores.
  ["/slots/%E0%A4%A", null],
  ["/slots/%", null],
  ["/slots/a%00b", null],
])("%s leads to %s", (path, expected) => {
  expect(found(path)).toBe(expected);
});

test("neither the number of routes nor the length of the path matters", () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ({ method: "GET", path: `/a${index}/:id/b` }));
  const large = new RouteTree(many);
  const began = performance.now();
  for (let count = 0; count < 20_000; count++) large.find("/a19999/7/b");
  large.find("/x".repeat(1_000_000));
  // A look through all routes would take many seconds.
  expect(performance.now() - began).toBeLessThan(2_000);
});
