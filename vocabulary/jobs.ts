/**
 * The times of a cron expression, in UTC. If days of the month and days of the week are both restricted, one
 * match is enough.
 */
export interface CronTimes {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly dates: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
}

const fields = [
  { name: "minute", from: 0, to: 59 },
  { name: "hour", from: 0, to: 23 },
  { name: "day of the month", from: 1, to: 31 },
  { name: "month", from: 1, to: 12 },
  { name: "day of the week", from: 0, to: 7 },
] as const;

type Field = (typeof fields)[number];

/** Reads five fields such as `0,30 8-18 * * 1-5`. Throws an Error that names the invalid field. */
export function parseCron(expression: string): CronTimes {
  const texts = expression.trim().split(/\s+/);
  if (texts.length !== fields.length)
    throw new Error(`cron needs five fields, minute hour day month weekday, not "${expression}"`);
  const [minutes, hours, dates, months, weekdays] = fields.map(
    (field, index) => new Set(valuesOf(field, texts[index] ?? "")),
  );
  const none = new Set<number>();
  return {
    minutes: minutes ?? none,
    hours: hours ?? none,
    dates: dates ?? none,
    months: months ?? none,
    weekdays: new Set([...(weekdays ?? none)].map((day) => day % 7)),
  };
}

function valuesOf(field: Field, text: string): number[] {
  return text.split(",").flatMap((part) => {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    if (match === null) throw wrong(field, part);
    const [, first, last, step] = match.map((digits) => (digits === undefined ? null : Number(digits)));
    const from = first ?? field.from;
    // Sunday is both 0 and 7.
    const to = last ?? first ?? (field.to === 7 ? 6 : field.to);
    const by = step ?? 1;
    const isStepOfOne = first !== null && last === null && step !== null;
    if (from < field.from || to > field.to || to < from || by === 0 || isStepOfOne) throw wrong(field, part);
    return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => from + index * by);
  });
}

function wrong({ name, from, to }: Field, part: string): Error {
  return new Error(
    `the ${name} of cron must be from ${from} to ${to}, such as *, */2, 3, 3-5 or 3,5, not "${part}"`,
  );
}

/** Whether the times include the minute of a date, in UTC. */
export function isCronTime(times: CronTimes, moment: Date): boolean {
  if (!times.minutes.has(moment.getUTCMinutes()) || !times.hours.has(moment.getUTCHours())) return false;
  if (!times.months.has(moment.getUTCMonth() + 1)) return false;
  const isDate = times.dates.has(moment.getUTCDate());
  const isWeekday = times.weekdays.has(moment.getUTCDay());
  const bothAreGiven = times.dates.size < 31 && times.weekdays.size < 7;
  return bothAreGiven ? isDate || isWeekday : isDate && isWeekday;
}

/** Valid names of jobs, which are the names of files in `models/jobs/`. */
export const jobName = /^[a-z][a-z0-9_-]{0,62}$/;

/** The rule for names of jobs, in messages. */
export const jobNameRule =
  "lower-case letters, digits, _ and -, starting with a letter, at most 63 characters";
