import type { OpenId2Provider } from "../../../../../vocabulary/social/provider.ts";

const registration = "http://openid.net/extensions/sreg/1.1";
const exchange = "http://openid.net/srv/ax/1.0";

/** What is asked for, by the names that the table of providers has: in simple registration, and in attribute exchange. */
const attributes = {
  email: { simple: "email", type: "contact/email", openIdType: "contact/internet/email" },
  fullname: { simple: "fullname", type: "namePerson", openIdType: "namePerson" },
  first_name: { simple: null, type: "namePerson/first", openIdType: "namePerson/first" },
  last_name: { simple: null, type: "namePerson/last", openIdType: "namePerson/last" },
} as const;

type Name = keyof typeof attributes;

function typesOf({ attributes: names }: OpenId2Provider): readonly (readonly [Name, string])[] {
  return Object.entries(attributes).map(([name, { type, openIdType }]) =>
    names === "openid-schema"
      ? [name as Name, `http://openid.net/schema/${openIdType}`]
      : [name as Name, `http://axschema.org/${type}`],
  );
}

/** The parameters that ask for a name and an e-mail, by both extensions: servers know one of them, or none. */
export function attributeRequest(row: OpenId2Provider): Readonly<Record<string, string>> {
  const types = typesOf(row);
  return {
    "openid.ns.sreg": registration,
    "openid.sreg.optional": "email,fullname,nickname",
    "openid.ns.ax": exchange,
    "openid.ax.mode": "fetch_request",
    ...Object.fromEntries(types.map(([name, type]) => [`openid.ax.type.${name}`, type])),
    "openid.ax.required": types.map(([name]) => name).join(","),
  };
}

/** What the server told, of the fields that it has signed. */
export function attributesIn(
  row: OpenId2Provider,
  signed: ReadonlyMap<string, string>,
): Record<string, string> {
  const simple = aliasOf(signed, registration);
  const exchanged = aliasOf(signed, exchange);
  const found = typesOf(row).map(([name, type]) => {
    const { simple: key } = attributes[name];
    const told = (key !== null && simple !== null && signed.get(`${simple}.${key}`)) || "";
    return [name, told || exchangedValue(signed, exchanged, type)] as const;
  });
  return Object.fromEntries(found.filter(([, value]) => value !== ""));
}

/** Servers give extensions and attributes names of their own, which they declare. */
function aliasOf(signed: ReadonlyMap<string, string>, namespace: string): string | null {
  const declared = [...signed].find(([name, value]) => name.startsWith("ns.") && value === namespace);
  return declared?.[0].slice("ns.".length) ?? null;
}

function exchangedValue(signed: ReadonlyMap<string, string>, alias: string | null, type: string): string {
  const prefix = `${alias}.type.`;
  const declared = [...signed].find(([name, value]) => name.startsWith(prefix) && value === type);
  const attribute = declared?.[0].slice(prefix.length);
  return signed.get(`${alias}.value.${attribute}`) ?? signed.get(`${alias}.value.${attribute}.1`) ?? "";
}
