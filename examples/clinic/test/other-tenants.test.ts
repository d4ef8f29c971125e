import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  expectUnseen,
  expectUnwritten,
  type Target,
  workingApp,
} from "../../../test/support/example-apps.ts";
import { service } from "../generated/index.ts";
import { inHours, type Person, people, rows } from "./clinic-rows.ts";

const { ask, store, rowsOf } = await workingApp(service, { root: join(import.meta.dirname, "..") });
const by = (person: Person) => (request: string, body?: Parameters<typeof ask>[2]) =>
  ask(people[person], request, body);
const tables = ["practices", "staff", "doctors", "patients", "appointments", "records", "approvals"] as const;
const all = () => rowsOf(...tables);

beforeEach(() => store(rows()));

interface Ids extends Readonly<Record<(typeof tables)[number], number>> {
  /** A record that nobody has approved, and a doctor of the practice. */
  readonly unapproved: number;
}

/** A row of each model of one practice, and what somebody tries whose account is `user`. */
const targetsOf = (ids: Ids, user: number): Target[] => {
  const hours = { starts_at: inHours(50), ends_at: inHours(51) };
  const by = { doctor_id: ids.doctors };
  const ofPractice = { practice_id: ids.practices };
  const ofPatient = { patient_id: ids.patients, ...by };
  const mine = { name: "Mine" };
  return [
    {
      model: "practices",
      id: ids.practices,
      term: "e",
      data: { ...mine, city: "Here" },
      change: mine,
      isPublic: true,
    },
    {
      model: "staff",
      id: ids.staff,
      term: "e",
      data: { ...ofPractice, user_id: user },
      change: { user_id: user },
    },
    {
      model: "doctors",
      id: ids.doctors,
      term: "e",
      data: { ...ofPractice, ...mine, user_id: user },
      change: mine,
      isPublic: true,
    },
    {
      model: "patients",
      id: ids.patients,
      term: "a",
      data: { ...ofPractice, ...by, ...mine, user_id: user, born_on: "2000-01-01" },
      change: { user_id: user },
    },
    {
      model: "appointments",
      id: ids.appointments,
      term: "e",
      data: { ...ofPatient, ...hours },
      change: hours,
    },
    {
      model: "records",
      id: ids.records,
      term: "e",
      data: { ...ofPatient, text: "Mine" },
      change: { text: "Mine" },
    },
    {
      model: "approvals",
      id: ids.approvals,
      term: "e",
      data: { record_id: ids.unapproved, ...by, outcome: "approved" },
      change: { outcome: "approved" },
    },
  ];
};

const elm = {
  practices: 1,
  staff: 1,
  doctors: 1,
  patients: 1,
  appointments: 1,
  records: 1,
  approvals: 1,
  unapproved: 2,
};
const oak = {
  practices: 2,
  staff: 3,
  doctors: 3,
  patients: 4,
  appointments: 2,
  records: 4,
  approvals: 3,
  unapproved: 4,
};

describe.each<[string, Ids, readonly Person[]]>([
  ["Elm", elm, ["otto", "olga", "paul", "gone", "guest"]],
  ["Oak", oak, ["dora", "dan", "rita", "max", "pat", "pia", "gone", "guest"]],
])("of %s", (_, ids, outsiders) => {
  describe.each(outsiders)("%s", (person) => {
    const targets = targetsOf(ids, Number(people[person]?.sub ?? 0)).map(
      (each) => [each.model, each] as const,
    );

    test.each(targets)("finds no %s and changes none", async (_model, target) => {
      const before = await all();
      await expectUnseen(target, by(person));
      await expectUnwritten(target, by(person));
      expect(await all()).toEqual(before);
    });
  });
});

test("those whom they concern find these rows by the same requests", async () => {
  const seen: readonly (readonly [Ids, Person, string])[] = [
    [elm, "rita", "staff"],
    [elm, "pat", "patients"],
    [elm, "pat", "appointments"],
    [elm, "dora", "records"],
    [elm, "dan", "approvals"],
    [oak, "olga", "patients"],
    [oak, "otto", "records"],
  ];
  for (const [ids, person, model] of seen)
    for (const target of targetsOf(ids, 0).filter((each) => each.model === model))
      await expect(expectUnseen(target, by(person))).rejects.toThrow();
});
