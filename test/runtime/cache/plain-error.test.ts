import { expect, test } from "vitest";
import { plainError } from "#runtime/cache/index";

const command = { name: "evalsha", args: ["hash", "1", "kirak:rl:auth:login:email:a@example.com"] };

test("an error of Redis is its message, without the command", () => {
  const error = plainError(Object.assign(new Error("WRONGTYPE Operation"), { command }));
  expect(error).toEqual(new Error("Redis: WRONGTYPE Operation"));
  expect(error).not.toHaveProperty("command");
});

test("values that a message repeats are left out", () => {
  const message = `ERR unknown command 'evalsha', with args beginning with: '${command.args.join("' '")}'\nx`;
  for (const error of [new Error(message), Object.assign(new Error(message), { command })])
    expect(plainError(error)).toEqual(new Error("Redis: ERR unknown command 'evalsha'"));
});

test("what holds neither is left as it is", () => {
  const error = new Error("Connection is closed.");
  for (const one of [error, "text", undefined, null]) expect(plainError(one)).toBe(one);
});
