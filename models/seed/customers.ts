import { knownEmails, person } from "./people.ts";
import type { Random } from "./random.ts";
import { date, day, timestamp, today } from "./time.ts";
import { genres, places, streets } from "./words.ts";

export type Customer = ReturnType<typeof customer>;

function customer(random: Random, number: number) {
  const { name, handle } = person(random);
  const joined = today - random.int(720, 1500) * day;
  return {
    id: number,
    user_id: number,
    name,
    email: number === 1 ? knownEmails.reader : `${handle}.${number}@example.com`,
    phone: random.maybe(0.6, () => `+3120${random.text(7, "0123456789")}`),
    birthday: random.maybe(0.7, () => date(today - random.int(16 * 365, 85 * 365) * day)),
    loyalty_tier: random.pick(["bronze", "bronze", "bronze", "silver", "silver", "gold"] as const),
    newsletter: random.chance(0.4),
    favourite_genre: random.pick(genres),
    language: random.pick(["en", "nl"]),
    staff_notes: random.maybe(0.05, () =>
      random.pick(["Rings before coming.", "Pays by invoice.", "Likes maps."]),
    ),
    created_at: timestamp(joined),
    updated_at: timestamp(joined),
  };
}

export function customers(random: Random, count: number): Customer[] {
  return Array.from({ length: count }, (_, i) => customer(random, i + 1));
}

/** Where the parcels of an order go. */
export function shippingAddress(random: Random, name: string) {
  return {
    shipping_name: name,
    shipping_street: `${random.pick(streets)} ${random.int(1, 240)}`,
    shipping_postcode: `${random.int(1000, 9999)} ${random.text(2, "ABCDEFGHJKLMNPRSTUVWXZ")}`,
    shipping_city: random.pick(places),
  };
}

/** Cards for one customer in eight, the first customer among them. */
export function giftCards(random: Random, count: number, to: readonly Customer[]) {
  return Array.from({ length: count }, (_, i) => {
    const bought = today - random.int(5, 600) * day;
    const recipient = i === 0 ? to[0] : random.pick(to);
    return {
      id: random.uuid(),
      code: `GIFT-${i.toString(36).toUpperCase().padStart(4, "0").slice(-4)}-${random.text(4, "ABCDEFGHJKMNPQRSTVWXYZ23456789")}`,
      amount: random.pick(["10.00", "25.00", "25.00", "50.00", "100.00"]),
      recipient_email: recipient?.email ?? "nobody@example.com",
      message: random.pick(["Happy birthday!", "Thank you.", "For the long evenings.", null]),
      expires_on: date(bought + 5 * 365 * day),
      redeemed_at: i > 0 && random.chance(0.5) ? timestamp(bought + random.int(1, 4) * day) : null,
      created_at: timestamp(bought),
      updated_at: timestamp(bought),
    };
  });
}
