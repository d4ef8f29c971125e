import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { expectUpToDate, workingApp } from "../../../test/support/example-apps.ts";
import { service } from "../generated/index.ts";
import { inHours, type Person, people, rows } from "./clinic-rows.ts";

const { ask, store, rowsOf, query } = await workingApp(service, { root: join(import.meta.dirname, "..") });
const as = (person: Person, request: string, body?: Json) => ask(people[person], request, body);
const all = () => rowsOf("practices", "staff", "doctors", "patients", "appointments", "records", "approvals");

beforeEach(() => store(rows()));

test("what is generated is what the generator makes of the models", () => expectUpToDate("clinic"));

const denied = "403 PERMISSION_DENIED";
const notFound = "404 NOT_FOUND";
const taken = "409 SLOT_TAKEN";
const backwards = "400 VALIDATION_ERROR";
const ids = (found: readonly number[]) => found.map((id) => ({ id }));

describe("who sees what", () => {
  const visible: [
    Person,
    { patients: number[]; records: number[]; appointments: number[]; approvals: number[] },
  ][] = [
    ["dora", { patients: [1, 3], records: [1, 2, 5], appointments: [], approvals: [1, 2] }],
    ["dan", { patients: [1, 2], records: [2, 3, 5], appointments: [1, 3], approvals: [1, 2] }],
    ["rita", { patients: [1, 2, 3], records: [], appointments: [1, 3], approvals: [] }],
    ["max", { patients: [1, 2, 3], records: [], appointments: [1, 3], approvals: [] }],
    ["pat", { patients: [1], records: [1], appointments: [1], approvals: [] }],
    ["pia", { patients: [2], records: [], appointments: [3], approvals: [] }],
    ["otto", { patients: [4], records: [4], appointments: [2], approvals: [] }],
    ["olga", { patients: [4], records: [], appointments: [2], approvals: [] }],
    ["paul", { patients: [4], records: [], appointments: [2], approvals: [] }],
    ["gone", { patients: [], records: [], appointments: [], approvals: [] }],
    ["auditor", { patients: [], records: [1, 3], appointments: [], approvals: [1, 2] }],
  ];
  test.each(visible)("%s", async (person, seen) => {
    for (const [model, found] of Object.entries(seen)) {
      expect([model, await as(person, `GET /${model}/fetch?select_fields=id&order_by=id`)]).toEqual([
        model,
        ids(found),
      ]);
      expect(await as(person, `GET /${model}/count`)).toEqual({ count: found.length });
      expect(await as(person, `GET /${model}/exists?id=1`)).toEqual({ exists: found.includes(1) });
      expect(await as(person, `{ ${model}(orderBy: id) { id } }`)).toEqual({ [model]: ids(found) });
    }
  });

  test("joins go no further", async () => {
    const document =
      "{ patients(orderBy: id) { name doctor { name } appointments { id } records(orderBy: id) { id } } }";
    expect(await as("pat", document)).toEqual({
      patients: [{ name: "Pat", doctor: { name: "Dora" }, appointments: [{ id: 1 }], records: [{ id: 1 }] }],
    });
    expect(await as("rita", document)).toMatchObject({
      patients: [{ records: [] }, { records: [] }, { name: "Closed", records: [] }],
    });
    const doctors = "{ doctors(orderBy: id) { name patients { name } appointments { id } } }";
    expect(await as("otto", doctors)).toMatchObject({
      doctors: [
        { patients: [] },
        { patients: [] },
        { patients: [{ name: "Paul" }], appointments: [{ id: 2 }] },
        {},
      ],
    });
  });

  test("searches and aggregates are the reception's, within its practice", async () => {
    const count = "{ patients_aggregate { count } }";
    expect(await as("rita", "GET /patients/search?search_term=Pa&select_fields=id")).toEqual(ids([1]));
    expect(await as("rita", count)).toEqual({ patients_aggregate: [{ count: 3 }] });
    expect(await as("olga", count)).toEqual({ patients_aggregate: [{ count: 1 }] });
    for (const person of ["dora", "pat", "gone", "auditor"] as const)
      expect(await as(person, count)).toEqual({ patients_aggregate: [{ count: 0 }] });
    expect(await as("rita", "{ records_aggregate { count } }")).toBe(denied);
  });

  test("guests find practices and doctors, and nothing else", async () => {
    expect(await as("guest", "{ practices(orderBy: id) { name doctors { name } } }")).toMatchObject({
      practices: [{ name: "Elm" }, { name: "Oak", doctors: [{ name: "Otto" }] }],
    });
    for (const request of [
      "GET /patients/fetch",
      "GET /records/count",
      "{ staff { id } }",
      "{ practices { staff { id } } }",
    ])
      expect(await as("guest", request)).toBe(denied);
    expect(await as("guest", "GET /doctors/fetch?user_id=1")).toBe(denied);
  });

  test("a doctor of the day sees the patient on the days around the appointment alone", async () => {
    await query("update appointments set starts_at = $1, ends_at = $2 where id = 1", [
      inHours(30),
      inHours(31),
    ]);
    expect(await as("dan", "GET /patients/count")).toEqual({ count: 1 });
    await query("update appointments set starts_at = $1, ends_at = $2 where id = 1", [
      inHours(-20),
      inHours(-19),
    ]);
    expect(await as("dan", "GET /patients/count")).toEqual({ count: 2 });
    await query("update appointments set status = 'cancelled' where id = 1");
    expect(await as("dan", "GET /patients/count")).toEqual({ count: 1 });
  });
});

/** Who asks for what, and what comes of it: `true` is done. */
type Attempt = [Person, string, Json, true | string];

async function attempt([person, request, body, outcome]: Attempt): Promise<void> {
  const before = await all();
  const answer = await as(person, request, body);
  if (outcome === true) expect(answer).toBeTypeOf("object");
  else expect([answer, await all()]).toEqual([outcome, before]);
}

const titled = (list: readonly Attempt[]) =>
  list.map((each) => {
    const [person, request, body, outcome] = each;
    const sent = body === null ? "" : ` ${JSON.stringify(body)}`;
    return [`${person}: ${request}${sent} is ${outcome === true ? "done" : outcome}`, each] as const;
  });

const change = (id: number, data: object) => ({ where: { id }, data: { ...data } });

describe("records", () => {
  const create = "POST /records/create";
  const update = "PUT /records/update";
  const approve = "POST /approvals/create";
  const record = (patient_id: number, doctor_id: number) => ({
    data: { patient_id, doctor_id, text: "Seen" },
  });
  const approval = (record_id: number, doctor_id: number) => ({
    data: { record_id, doctor_id, outcome: "approved" },
  });
  // biome-ignore format: one case a line
  test.each(
    titled([
      ["dora", create, record(1, 1), true],
      ["dora", create, record(2, 1), denied],
      ["dora", create, record(3, 1), denied],
      ["dora", create, record(4, 1), denied],
      ["dora", create, record(2, 2), denied],
      ["dan", create, record(1, 2), true],
      ["otto", create, record(1, 3), denied],
      ["rita", create, record(1, 1), denied],
      ["pat", create, record(1, 1), denied],
      ["dora", update, change(2, { text: "a" }), true],
      ["dora", update, change(1, { text: "a" }), denied],
      ["dora", update, change(5, { text: "a" }), denied],
      ["dora", update, change(2, { patient_id: 4 }), denied],
      ["dora", update, change(2, { doctor_id: 2 }), denied],
      ["dan", update, change(2, { text: "a" }), denied],
      ["otto", update, change(2, { text: "a" }), denied],
      ["pat", update, change(1, { text: "a" }), denied],
      ["dora", update, { where: { doctor_id: 1 }, data: { text: "a" } }, denied],
      ["dora", "PUT /records/upsert", record(1, 1), denied],
      ["dora", "DELETE /records/destroy", { ids: [2] }, denied],
      ["dan", approve, approval(2, 2), true],
      ["dora", approve, approval(2, 1), denied],
      ["dora", approve, approval(2, 2), denied],
      ["otto", approve, approval(2, 3), denied],
      ["rita", approve, approval(2, 2), denied],
      ["dora", 'mutation { createRecords(input: { patient_id: 1, doctor_id: 1, text: "a" }) { id } }', null, true],
      ["otto", 'mutation { createRecords(input: { patient_id: 1, doctor_id: 3, text: "a" }) { id } }', null, denied],
      ["dan", 'mutation { updateRecords(where: { id: 2 }, input: { text: "a" }) { id } }', null, denied],
    ]),
  )("%s", (_, each) => attempt(each));

  test("what is approved is shown to the patient, and changed no more", async () => {
    expect(await as("pat", "GET /records/count")).toEqual({ count: 1 });
    await as("dan", approve, approval(2, 2));
    expect(await as("pat", "GET /records/count")).toEqual({ count: 2 });
    expect(await as("dora", update, change(2, { text: "a" }))).toBe(denied);
  });

  test("a bulk takes those that are allowed", async () => {
    const data = [record(1, 1).data, record(4, 1).data, record(3, 1).data];
    expect(await as("dora", create, { data })).toMatchObject({ inserted_count: 1, failed_count: 2 });
  });

  test("a correction and an approval at the same time: the record was approved as it is", async () => {
    const answers = await Promise.all([
      as("dora", update, change(2, { text: "Corrected" })),
      as("dan", approve, approval(2, 2)),
    ]);
    expect(answers[1]).toMatchObject({ record_id: 2 });
    // A correction that came first is what was approved; one that came later is refused.
    const [row] = await query("select text from records where id = 2");
    expect(row?.["text"]).toBe(answers[0] === denied ? "Record 2" : "Corrected");
  });
});

describe("appointments", () => {
  const create = "POST /appointments/create";
  const update = "PUT /appointments/update";
  const ask = (patient_id: number, doctor_id: number, from: number, to: number, more: object = {}) => ({
    data: { patient_id, doctor_id, starts_at: inHours(from), ends_at: inHours(to), ...more },
  });
  // biome-ignore format: one case a line
  test.each(
    titled([
      ["pat", create, ask(1, 2, 3.1, 4), true],
      ["pat", create, ask(1, 1, 2, 3), true],
      ["pat", create, ask(1, 2, 2.5, 4), taken],
      ["pat", create, ask(1, 2, 7, 10), taken],
      ["pat", create, ask(1, 3, 5, 6), denied],
      ["pat", create, ask(2, 2, 5, 6), denied],
      ["pat", create, ask(1, 1, 0.5, 1), denied],
      ["pat", create, ask(1, 1, 6, 5), backwards],
      ["pat", create, ask(1, 1, 6, 6), backwards],
      ["pat", create, ask(1, 3, 6, 5), denied],
      ["pat", create, ask(1, 1, 5, 6, { status: "confirmed" }), denied],
      ["paul", create, ask(4, 1, 5, 6), denied],
      ["rita", create, ask(1, 1, 5, 6), denied],
      ["rita", update, change(3, { status: "confirmed" }), true],
      ["rita", update, change(3, { starts_at: inHours(2.5), ends_at: inHours(3.5) }), taken],
      ["rita", update, change(3, { starts_at: inHours(2.5), ends_at: inHours(3.5), status: "cancelled" }), true],
      ["rita", update, change(3, { ends_at: inHours(8) }), backwards],
      ["rita", update, change(3, { starts_at: inHours(10) }), backwards],
      ["olga", update, change(3, { ends_at: inHours(1) }), denied],
      ["rita", update, change(3, { doctor_id: 3 }), denied],
      ["olga", update, change(1, { status: "cancelled" }), denied],
      ["gone", update, change(1, { status: "cancelled" }), denied],
      ["pat", update, change(1, { status: "cancelled" }), denied],
      ["olga", update, { where: { doctor_id: 2 }, data: { status: "cancelled" } }, notFound],
    ]),
  )("%s", (_, each) => attempt(each));

  test("who asks for one that ends before it starts is told why, over both fronts", async () => {
    const values = `patient_id: 1, doctor_id: 1, starts_at: "${inHours(6)}", ends_at: "${inHours(5)}"`;
    expect(await as("pat", `mutation { createAppointments(input: { ${values} }) { id } }`)).toBe(backwards);
  });

  test("who has not confirmed an address makes none", async () => {
    await query("update users set is_verified = false where id = 5");
    expect(await as("pat", create, ask(1, 1, 5, 6))).toBe(denied);
  });

  test("of two patients who ask for the same hour at the same time one gets it", async () => {
    const answers = await Promise.all([
      as("pat", create, ask(1, 1, 5, 6)),
      as("pia", create, ask(2, 1, 5.5, 6.5)),
    ]);
    expect(answers.filter((answer) => answer === denied || answer === taken)).toHaveLength(1);
  });
});

describe("practices", () => {
  const works = (practice_id: number, user_id: number, duty: string) => ({
    data: { practice_id, user_id, duty },
  });
  const patient = (practice_id: number, doctor_id: number) => ({
    data: { practice_id, doctor_id, name: "New", born_on: "2000-01-01" },
  });
  test.each(
    titled([
      ["max", "POST /staff/create", works(1, 9, "reception"), true],
      ["max", "POST /staff/create", works(1, 9, "manager"), denied],
      ["max", "POST /staff/create", works(2, 9, "reception"), denied],
      ["rita", "POST /staff/create", works(1, 9, "reception"), denied],
      ["gone", "POST /staff/create", works(1, 10, "reception"), denied],
      ["admin", "POST /staff/create", works(2, 9, "manager"), true],
      ["max", "DELETE /staff/delete", { ids: [1] }, true],
      ["max", "DELETE /staff/delete", { ids: [2] }, denied],
      ["olga", "DELETE /staff/delete", { query: { practice_id: 1 } }, notFound],
      ["max", "DELETE /doctors/delete", { ids: [1] }, denied],
      ["max", "DELETE /doctors/delete", { ids: [4] }, true],
      ["max", "DELETE /doctors/delete", { ids: [1, 4] }, denied],
      ["olga", "DELETE /doctors/delete", { ids: [4] }, denied],
      ["max", "PUT /doctors/update", change(1, { practice_id: 2 }), denied],
      ["max", "PUT /practices/update", change(1, { city: "Leiden" }), true],
      ["max", "PUT /practices/update", change(2, { city: "Leiden" }), denied],
      ["rita", "POST /patients/create", patient(1, 1), true],
      ["rita", "POST /patients/create", patient(1, 3), denied],
      ["rita", "POST /patients/create", patient(2, 3), denied],
      ["dora", "POST /patients/create", patient(1, 1), denied],
      ["rita", "PUT /patients/update", change(1, { doctor_id: 2 }), true],
      ["rita", "PUT /patients/update", change(1, { doctor_id: 3 }), denied],
      ["rita", "PUT /patients/update", change(1, { practice_id: 2, doctor_id: 3 }), denied],
      ["rita", "PUT /patients/update", change(1, { closed_at: inHours(0) }), denied],
      ["rita", "PUT /patients/update", change(3, { name: "a" }), denied],
      ["dora", "PUT /patients/update", change(1, { closed_at: inHours(0) }), true],
      ["dan", "PUT /patients/update", change(1, { closed_at: inHours(0) }), denied],
      ["pat", "PUT /patients/update", change(1, { name: "a" }), denied],
      ["olga", "PUT /patients/update", change(1, { name: "a" }), denied],
      ["auditor", "PUT /patients/update", change(1, { name: "a" }), denied],
    ]),
  )("%s", (_, each) => attempt(each));
});
