import { equal } from "node:assert/strict";
import type { Heard } from "../player.ts";
import { baseUrl } from "../sign-in.ts";
import { fillFact } from "./declared.ts";
import type { Fact, Texts } from "./facts.ts";
import { type Note, notes } from "./notes.ts";
import { domainPrefix, type Person, shop, uidOf } from "./person.ts";

/** What a game of one provider goes by: its facts, and the values of this sign-in. */
export interface Told {
  readonly fact: Fact;
  readonly note: Note;
  readonly id: string;
  readonly secret: string;
  readonly callbackUrl: string;
  readonly accessToken: string;
  /** What the facts' placeholders stand for, beside settings. */
  readonly known: Texts;
}

export function toldOf(fact: Fact, person: Person): Told {
  const note = notes[fact.name] ?? {};
  const id = `id-of-${fact.name}`;
  const uid = uidOf(fact.name);
  const accessToken = fact.uid_path.startsWith("access_token:")
    ? person.realmToken(id, Math.floor(Date.now() / 1000) + 300)
    : `${uid}.token-of-${fact.name}`;
  const members = Object.entries(note.token ?? {});
  const known = {
    ...note.token,
    ...Object.fromEntries(members.map(([name, value]) => [`token:${name}`, value])),
    ...{ sub: uid, id: uid, user_id: uid, "token:uid": uid, "profile:openid": uid },
    ...{ token: accessToken, username: "ann-lee", shop, domain_prefix: domainPrefix },
  };
  const callbackUrl = `${baseUrl}/auth/${fact.name}/callback`;
  return { fact, note, id, secret: `secret-of-${fact.name}`, callbackUrl, accessToken, known };
}

/** Texts of the facts, with values in the place of their names. */
export function filled({ fact, known }: Told, templates: Texts = {}): Texts {
  return Object.fromEntries(
    Object.entries(templates).map(([name, text]) => [name, fillFact(fact, text, known)]),
  );
}

/** Throws where a header is missing or another. */
export function checkHeaders(headers: Heard["headers"], wanted: Texts): void {
  for (const [name, value] of Object.entries(wanted)) equal(headers[name.toLowerCase()], value, name);
}
