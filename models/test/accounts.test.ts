import { describe, expect, test } from "vitest";
import { developmentPassword } from "../seed/accounts.ts";
import { knownEmails } from "../seed/people.ts";
import { shopService } from "./shop-service.ts";

const { send, query } = await shopService();
const password = "Correct-Horse-1!";

async function signIn(email: string, secret: string): Promise<string> {
  const { status, text } = await send("POST /auth/login", null, { email, password: secret });
  expect(status).toBe(200);
  return JSON.parse(text).data.accessToken;
}

async function register(body: Readonly<Record<string, string>>): Promise<number> {
  const { status, text } = await send("POST /auth/register", null, { password, ...body });
  expect(status).toBe(200);
  return JSON.parse(text).data.user.user_id;
}

describe("who registers", () => {
  test("is a customer, who can order at once", async () => {
    const id = await register({ email: "Cora@Example.com", first_name: "Cora", last_name: "Vos" });
    await query("UPDATE users SET is_verified = true WHERE id = $1", [id]);
    const token = await signIn("cora@example.com", password);
    const own = await send("GET /customers/fetch", token);
    expect(own.envelope.data).toMatchObject([
      { user_id: id, name: "Cora Vos", email: "cora@example.com", loyalty_tier: "bronze" },
    ]);
    const order = await send("POST /orders/create", token, { data: { note: "mine" } });
    expect(order.envelope.data).toMatchObject({ customer_id: id, note: "mine" });
  });

  test("is named by the address where no name was given, and cut where it is too long", async () => {
    const nameless = await register({ email: "nobody@example.com" });
    const long = await register({ email: "long@example.com", first_name: "x".repeat(200) });
    const rows = await query("SELECT name FROM customers WHERE user_id = ANY ($1) ORDER BY user_id", [
      [nameless, long],
    ]);
    expect(rows).toEqual([{ name: "nobody@example.com" }, { name: "x".repeat(120) }]);
  });

  test("may have an address that another customer gave as theirs", async () => {
    await query("UPDATE customers SET email = 'dirk@example.com' WHERE user_id = 2");
    await register({ email: "dirk@example.com" });
  });
});

test.each(Object.entries(knownEmails))("the seeded %s signs in", async (name, email) => {
  const token = await signIn(email, developmentPassword);
  const { envelope } = await send("GET /auth/me", token);
  expect(envelope.data).toMatchObject({ email, role: name === "reader" ? "user" : name });
});
