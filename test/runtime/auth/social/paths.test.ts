import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPath } from "#runtime/auth/social/conversation/paths";
import { parseJson } from "#runtime/auth/social/outbound/index";

const profile = parseJson(`{
  "id": 90071992547409931, "half": 1.50, "empty": "", "none": null, "yes": true, "no": false, "zero": 0,
  "a": {"b": [{"c": "first"}, {"c": "second"}]},
  "emails": [{"email": "old@example.com", "primary": false}, {"email": "ann@example.com", "primary": true}],
  "roles": {"teacher": {"name": "Ann"}, "student": {"name": "Bob"}},
  "uri": "https://api.example.com/users/42/",
  "handle~": {"name": "H"}, "__proto__": {"admin": "yes"}
}`);
const read = (path: string) => readPath(path, { profile, token: { user: { id: "7" } }, form: { shop: "s" } });

describe("a path", () => {
  test.each([
    ["id", "90071992547409931"],
    ["half", "1.50"],
    ["zero", "0"],
    ["yes", "true"],
    ["no", "false"],
    ["a.b[0].c", "first"],
    ["a.b[1].c", "second"],
    ["emails[primary=true].email", "ann@example.com"],
    ["roles.*.name", "Ann"],
    ["uri#last", "42"],
    ["handle~.name", "H"],
    ["profile:id", "90071992547409931"],
    ["token:user.id", "7"],
    ["empty|none|missing|a.b[0].c", "first"],
    ["no|yes", "false"],
    ["={form:shop}:{token:user.id}", "s:7"],
    // An element of XML that stands once is a list of one.
    ["roles[0].student.name", "Bob"],
  ])("%s leads to %j", (path, value) => {
    expect(read(path)).toBe(value);
  });

  test.each([
    ...["empty", "none", "missing", "a", "a.b", "a.b[2].c", "a.b[-1].c", "a.b.c", "a.b.length", "id.length"],
    ...["emails[primary=yes].email", "token:user", "details:id", "openid:x", "", "|", "[0]x"],
    ...["constructor.name", "toString", "__proto__.constructor.name", "a.constructor.name", "a.b[length]"],
    ...["admin", "roles.__proto__", "={form:shop}:{token:user.name}"],
  ])("%s leads nowhere", (path) => {
    expect(read(path)).toBeNull();
  });

  test("leads to a text or nowhere, whatever it is and whatever was said", () => {
    const path = fc.oneof(fc.string(), fc.stringMatching(/^[a-c.[\]=|#*:{}0-1-]{0,12}$/));
    fc.assert(
      fc.property(path, fc.jsonValue(), (way, said) => {
        const found = readPath(way, { profile: said, token: said });
        return found === null || (typeof found === "string" && (found !== "" || way.startsWith("=")));
      }),
    );
  });

  test("has an end in 1 MiB of slashes", () => {
    const uri = `https://a.example/${"/".repeat(1_048_576)}`;
    expect(readPath("uri#last", { profile: { uri } })).toBe("a.example");
    expect(readPath("uri#last", { profile: { uri: `${uri} ` } })).toBe(" ");
    expect(readPath("uri#last", { profile: { uri: "//" } })).toBeNull();
  });

  test("keeps every digit of a number", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (id) => {
        expect(readPath("id", { profile: parseJson(`{"id": ${id}}`) })).toBe(String(id));
      }),
    );
  });
});
