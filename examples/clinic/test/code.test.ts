import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Json } from "#vocabulary/json";
import { workingApp } from "../../../test/support/example-apps.ts";
import { testSms } from "../../../test/support/sms.ts";
import { testSmtp } from "../../../test/support/smtp.ts";
import { service } from "../generated/index.ts";
import { inHours, type Person, people, rows } from "./clinic-rows.ts";

// What the app's own code does, from the request to the provider of text messages and to a mail server.
const sms = await testSms();
const smtp = await testSmtp();
const { ask, store, query, queued, tick, work } = await workingApp(service, {
  root: join(import.meta.dirname, ".."),
  sms: sms.settings,
  email: { provider: "smtp", from: "clinic@example.com", smtpUrl: smtp.url },
});
const as = (person: Person, request: string, body?: Json) => ask(people[person], request, body);
const move = (id: number, data: object) =>
  as("rita", "PUT /appointments/update", { where: { id }, data: { ...data } });

beforeEach(async () => {
  sms.sent.length = 0;
  await store(rows());
  await query("update users set phone_number = '+41791234567' where id = 6");
});

describe("a reminder", () => {
  const confirmed = { status: "confirmed", starts_at: inHours(50), ends_at: inHours(51) };

  test("is sent the day before, and moves with its appointment", async () => {
    await move(3, confirmed);
    const later = inHours(60);
    await move(3, { starts_at: later, ends_at: inHours(61) });
    await move(3, { ends_at: inHours(62) });
    const [reminder, ...more] = await queued();
    expect(more).toEqual([]);
    expect(reminder).toMatchObject({ name: "remind", payload: { appointment_id: 3, starts_at: later } });
    expect(reminder?.["run_at"]).toEqual(new Date(Date.parse(later) - 24 * 3_600_000));
    await work();
    expect(sms.sent).toEqual([]);
    await work({ ahead: true });
    expect(sms.sent).toMatchObject([
      { to: "+41791234567", text: expect.stringContaining(later.slice(0, 10)) },
    ]);
  });

  test("that was sent is not sent again where something else changes", async () => {
    await move(3, confirmed);
    await work({ ahead: true });
    await move(3, { ends_at: inHours(51.5) });
    expect(await queued()).toEqual([]);
    await move(3, { starts_at: inHours(50.5) });
    expect(await queued()).toHaveLength(1);
    expect(sms.sent).toHaveLength(1);
  });

  test.each<[string, object]>([
    ["that was cancelled", { status: "cancelled" }],
    ["of somebody without a number", { patient_id: 1 }],
  ])("of an appointment %s is not sent", async (_, change) => {
    await move(3, confirmed);
    await move(3, change);
    await work({ ahead: true });
    expect([sms.sent, await queued()]).toEqual([[], []]);
  });
});

test("an appointment is half an hour, and the slots are free that nobody has", async () => {
  const day = inHours(72).slice(0, 10);
  const free = () => as("guest", `GET /doctors/1/slots?day=${day}`);
  const all = await free();
  expect(all).toHaveLength(16);
  const nine = { starts_at: `${day}T09:00:00.000Z`, ends_at: `${day}T09:30:00.000Z` };
  expect(all).toContainEqual(nine);
  const data = { patient_id: 1, doctor_id: 1, starts_at: nine.starts_at };
  expect(await as("pat", "POST /appointments/create", { data })).toMatchObject(nine);
  expect(await free()).toHaveLength(15);
  expect(await free()).not.toContainEqual(nine);
  expect(await as("guest", "GET /doctors/1/slots?day=2020-01-01")).toEqual([]);
  expect(await as("guest", "GET /doctors/1/slots?day=soon")).toBe("400 VALIDATION_ERROR");
});

test.each([
  ["approved", ["There is something to read for you"]],
  ["rejected", []],
])("of a record that is %s its patient is told by mail: %j", async (outcome, subjects) => {
  await query("delete from approvals");
  const data = { record_id: 1, doctor_id: 2, outcome };
  expect(await as("dan", "POST /approvals/create", { data })).toMatchObject(data);
  const before = smtp.mails.length;
  await work();
  const sent = smtp.mails.slice(before);
  expect(sent.map(({ subject }) => subject)).toEqual(subjects);
  expect(sent.map(({ to }) => to[0])).toEqual(subjects.map(() => "pat@example.com"));
});

test("what nobody has confirmed in time is cancelled, and nothing else", async () => {
  await query("update appointments set status = 'requested' where id in (1, 3)");
  await query("update appointments set starts_at = now() - interval '5 minutes' where id = 1");
  await tick("cancel-unconfirmed");
  await work();
  const states = await query("select status from appointments where id < 4 order by id");
  expect(states.map(({ status }) => status)).toEqual(["cancelled", "requested", "requested"]);
});

describe("two appointments of a doctor at a time", () => {
  const half = (starts: number) => ({ patient_id: 1, doctor_id: 1, starts_at: inHours(starts) });
  const slot = () => query("select status from appointments where starts_at > now() + interval '60 hours'");

  test("are SLOT_TAKEN, which the hook says", async () => {
    await as("pat", "POST /appointments/create", { data: half(70) });
    expect(await as("pat", "POST /appointments/create", { data: half(70.2) })).toBe("409 SLOT_TAKEN");
  });

  test("of one list are refused by the table, since its hooks run before any of them is there", async () => {
    const answer = await as("pat", "POST /appointments/create", { data: [half(70), half(70.2), half(71)] });
    expect(answer).toMatchObject({
      inserted_count: 2,
      failed_records: [
        { index: 1, error: "VALIDATION_ERROR", message: "The record conflicts with an existing record." },
      ],
    });
    expect(await slot()).toHaveLength(2);
  });

  test("get past no SQL either, but for those that are cancelled", async () => {
    const again = (status: string) =>
      query(
        `insert into appointments (patient_id, doctor_id, starts_at, ends_at, status)
          select patient_id, doctor_id, starts_at, ends_at, $1 from appointments where id = 1`,
        [status],
      );
    await expect(again("requested")).rejects.toMatchObject({ code: "23P01" });
    await again("cancelled");
  });
});

test("the screen in the waiting room is told after the commit alone", async () => {
  let told = 0;
  const screen = createServer((_, response) => {
    told++;
    response.end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void screen.close());
  await once(screen, "listening");
  const address = screen.address();
  vi.stubEnv("WAITING_ROOM_URL", `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await move(2, { status: "cancelled" })).toBe("403 PERMISSION_DENIED");
  await move(1, { status: "cancelled" });
  await expect.poll(() => told).toBe(1);
});
