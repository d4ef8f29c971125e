import { expect, test } from "vitest";
import { mask } from "../../../runtime/process/log.ts";

test.each([
  ["Key (email)=(ann.o'neil+x@sub.example.com) already exists.", "Key (email)=([masked]) already exists."],
  ["connect to postgres://user:se:cret@db/app", "connect to postgres://user:[masked]@db/app"],
  ["nothing to hide @ noon, a@b", "nothing to hide @ noon, a@b"],
])("%s", (text, expected) => {
  expect(mask(text)).toBe(expected);
});
