import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { adoptedProject } from "./adopted-project.ts";

const posts = `
  CREATE TABLE posts (
    id serial PRIMARY KEY, title text NOT NULL, slug text, body text,
    created_at timestamptz NOT NULL DEFAULT '2001-01-01Z', updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    -- NEW.body := 'a comment';
    IF NEW.title = 'x' THEN NEW.slug := lower(NEW.title); END IF;
    NEW."updated_at" = '2002-01-01Z'; RETURN NEW;
  END $$;
  CREATE TRIGGER touch BEFORE UPDATE ON posts FOR EACH ROW EXECUTE FUNCTION touch();
  CREATE TABLE logs (id serial PRIMARY KEY, line text, updated_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE drafts (id serial PRIMARY KEY, a text, b text, c text, d text, e text, updated_at timestamptz NOT NULL DEFAULT now());
  CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.a = 'new.b := 1; END IF;' THEN
      IF NEW IS DISTINCT FROM OLD THEN NEW.updated_at = now(); ELSIF NEW.b IS NULL THEN NEW.a := 'x'; END IF;
      FOR i IN 1..2 LOOP NEW.c := i; END LOOP;
    END IF;
    NEW.b := 'y';
    IF NEW.c = 'stop' THEN RETURN NEW; END IF;
    NEW.d := 'set'; RETURN NEW;
  EXCEPTION WHEN OTHERS THEN NEW.e := 'bad'; RETURN NEW; END $$;
  CREATE TRIGGER fill BEFORE UPDATE ON drafts FOR EACH ROW EXECUTE FUNCTION fill();
`;

test("time columns that the database sets are generated, and other columns that a trigger sets are remarks", async () => {
  const db = await testDatabase();
  await db.query(posts);
  const own = adoptedProject(db.url);
  expect(await own.introspect("--open", "admin", "--remarks", "remarks.txt")).toMatchObject({ status: 0 });
  expect(JSON.parse(own.read("models/models.json"))).toMatchObject({
    posts: {
      columns: {
        created_at: { db_type: "timestamptz", generated: true },
        updated_at: { db_type: "timestamptz", generated: true },
      },
      fields: { slug: { type: "text" } },
    },
    logs: { columns: { updated_at: { db_type: "timestamptz" } } },
    drafts: { columns: { updated_at: { db_type: "timestamptz" } } },
  });
  expect(own.read("models/models.json").match(/"generated"/g)).toHaveLength(2);
  const filled = own
    .read("remarks.txt")
    .split("\n")
    .filter((line) => line.startsWith("filled"));
  const advice = 'add "generated": true if callers must not send it';
  expect(filled).toEqual([
    ...["a", "b: always", "c", "d", "e", "updated_at"].map((name) =>
      name.endsWith(": always")
        ? `filled\tdrafts.${name.slice(0, 1)}\tfill: ${advice}`
        : `filled\tdrafts.${name}\tfill sets it under conditions: ${advice}`,
    ),
    `filled\tposts.slug\ttouch sets it under conditions: ${advice}`,
  ]);
  expect(own.generator()).toMatchObject({ status: 0 });
  const send = await own.serve();
  expect(await send("POST /posts/create", { data: { title: "x" } })).toMatchObject({
    data: { created_at: "2001-01-01T00:00:00.000000Z", updated_at: expect.not.stringMatching(/^2002/) },
  });
  expect(await send("PUT /posts/update", { where: { id: 1 }, data: { body: "b" } })).toMatchObject({
    status: 200,
  });
  const times = { created_at: "2001-01-01T00:00:00.000000Z", updated_at: "2002-01-01T00:00:00.000000Z" };
  expect(await send("GET /posts/fetch")).toEqual({
    status: 200,
    data: [{ id: 1, title: "x", slug: "x", body: "b", ...times }],
  });
}, 240_000);

test("a role that owns nothing takes over the tables that it can use", async () => {
  const db = await testDatabase();
  const role = `limited_${randomBytes(6).toString("hex")}`;
  await db.query(`
    ${posts}
    CREATE VIEW titles AS SELECT title FROM posts;
    CREATE FUNCTION count_posts(int) RETURNS bigint SECURITY DEFINER LANGUAGE sql AS 'SELECT count(*) FROM posts';
    CREATE ROLE ${role} LOGIN PASSWORD 'x';
    CREATE SCHEMA own AUTHORIZATION ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON posts TO ${role};
    GRANT SELECT ON logs TO ${role}, PUBLIC;
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role};
    ALTER TABLE posts ENABLE ROW LEVEL SECURITY;
    CREATE POLICY shown ON posts USING (title <> 'hidden') WITH CHECK (true);
    INSERT INTO posts (title) VALUES ('hidden'), ('shown');
  `);
  onTestFinished(async () => {
    await db.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });
  const url = new URL(db.url);
  url.username = role;
  url.password = "x";
  url.searchParams.set("options", "-c search_path=own,public");
  const own = adoptedProject(url.href);
  expect(await own.introspect("--open", "admin", "--remarks", "remarks.txt")).toMatchObject({
    ...{ status: 0, stderr: "" },
  });
  const kinds = /^(?:row-security|definer|grants|rights)\t/;
  const owner = `rights of ${new URL(db.url).username}`;
  const remarks = own
    .read("remarks.txt")
    .replaceAll(role, "limited")
    .replace(owner, "rights of owner")
    .split("\n");
  expect(remarks.filter((line) => kinds.test(line))).toMatchInlineSnapshot(`
    [
      "definer	count_posts(integer)	runs with the rights of owner",
      "grants	logs	SELECT to everyone; SELECT to limited",
      "grants	posts	DELETE, INSERT, SELECT, UPDATE to limited",
      "row-security	posts	shown: they hide rows from the role of the service",
      "rights	drafts	the role of the service has no right to select, insert, update, delete",
      "rights	logs	the role of the service has no right to insert, update, delete",
      "rights	titles	the role of the service has no right to select",
    ]
  `);
  expect(own.generator()).toMatchObject({ status: 0, stderr: "" });
  expect(own.generator("--check")).toMatchObject({ status: 0 });
  expect(own.migrate()).toMatchObject({ status: 0, stderr: "" });
  expect(own.migrate("verify")).toMatchObject({ status: 0 });
  const send = await own.serve();
  expect(await send("GET /posts/fetch?select_fields=title")).toEqual({
    status: 200,
    data: [{ title: "shown" }],
  });
  expect(await send("POST /posts/create", { data: { title: "new" } })).toMatchObject({ status: 200 });
  expect(
    await send("PUT /posts/update", { where: { title: "new" }, data: { title: "newer" } }),
  ).toMatchObject({
    status: 200,
  });
  expect(await send("DELETE /posts/destroy?title=newer")).toMatchObject({ status: 200 });
  expect(await send("GET /logs/fetch")).toEqual({ status: 200, data: [] });
  expect(await db.query("SELECT title FROM posts ORDER BY 1")).toEqual([
    { title: "hidden" },
    { title: "shown" },
  ]);
}, 240_000);
