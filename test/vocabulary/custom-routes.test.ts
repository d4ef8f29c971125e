import { expect, test } from "vitest";
import { canBeUnder, pathsOverlap, routePathProblem, segmentsOf } from "#vocabulary/custom-routes";

test.each(["/slots", "/slots/:id/book", "/.well-known/x_y~z-1", "/:a/:b", "/books/:bookId"])(
  "%s is a path",
  (path) => {
    expect(routePathProblem(path)).toBe(null);
  },
);

const odd = (segment: string) => `has the segment "${segment}", which is neither plain text nor :name`;

test.each([
  ["", 'does not begin with "/"'],
  ["slots", 'does not begin with "/"'],
  ["/", "has no segment"],
  ["//slots", "has an empty segment"],
  ["/slots/", "has an empty segment"],
  ["/slots/:id.json", odd(":id.json")],
  ["/slots/:", odd(":")],
  ["/slots/:_id", odd(":_id")],
  ["/slots/:__proto__", odd(":__proto__")],
  ["/slots/:id?", odd(":id?")],
  ["/slots/*rest", odd("*rest")],
  ["/slots/{id}", odd("{id}")],
  ["/a%20b", odd("a%20b")],
  ["/a/../b", odd("..")],
  ["/./b", odd(".")],
  ["/é", odd("é")],
  ["/:id/of/:id", "has :id twice"],
])("%s is not a route", (path, problem) => {
  expect(routePathProblem(path)).toBe(problem);
});

test.each([
  ["/a/b", "/a/b", true],
  ["/a/b", "/A/b", true],
  ["/a/:x", "/a/b", true],
  ["/:x/b", "/a/:y", true],
  ["/a/:x/b", "/a/c/d", false],
  ["/a", "/a/b", false],
  ["/a/b", "/a/c", false],
])("%s and %s: %s", (a, b, both) => {
  expect(pathsOverlap(segmentsOf(a), segmentsOf(b))).toBe(both);
  expect(pathsOverlap(segmentsOf(b), segmentsOf(a))).toBe(both);
});

test.each([
  ["/auth/x", "/auth", true],
  ["/auth", "/auth", true],
  ["/:any", "/auth", true],
  ["/:any/x", "/auth", true],
  ["/author", "/auth", false],
  ["/auth", "/auth/v1", false],
  ["/auth/:x/y", "/auth/v1", true],
])("%s may lie under %s: %s", (path, mount, lies) => {
  expect(canBeUnder(segmentsOf(path), segmentsOf(mount))).toBe(lies);
});
