import { createHmac, timingSafeEqual } from "node:crypto";
import type { SecretKeys } from "../../core/config/index.ts";
import type { TextRow } from "../../core/database/index.ts";
import { invalid, type ServiceError } from "../../core/errors/index.ts";
import type { CursorPagination } from "../../core/http/index.ts";
import { columnsOf } from "../../models/index.ts";
import { type BindValue, type Edge, type Keyset, keysetValues } from "../sql/index.ts";
import type { Listing } from "./listing.ts";
import type { PageCursor } from "./request-input.ts";

/** The API of a page: its name, and its names of parameters in errors. */
export interface PageApi {
  readonly name: "rest" | "graphql";
  readonly nameOf: (parameter: string) => string;
}

/** A page by cursor: the input of its statement, and how its rows become the response. */
export interface KeysetPage {
  readonly keyset: Pick<Keyset, "orderBy" | "descending" | "edge" | "limit">;
  /** The values after those of filters and search pattern. */
  readonly values: BindValue[];
  /**
   * The rows of the page in their order, and its `pagination`. Rows end with the sort value and the id. Errors:
   * 400 `VALIDATION_ERROR` for a sort value that is too long for a cursor.
   */
  readonly finish: (rows: readonly TextRow[]) => {
    readonly rows: readonly TextRow[];
    readonly pagination: CursorPagination;
  };
}

/**
 * The page of the caller's cursor (docs/api.md#pages-by-cursor). Errors: 400 `VALIDATION_ERROR` for an invalid
 * cursor.
 */
export function keysetPage(
  { call, operation, sent, input }: Omit<Listing, "grant">,
  cursor: PageCursor,
  api: PageApi,
): KeysetPage {
  const { model, services } = call;
  const { limit, descending } = input;
  const orderBy = input.order_by ?? "id";
  // A new kind of a field makes older cursors invalid: their values do not fit it.
  const order = [orderBy, descending, columnsOf(model).get(orderBy)?.kind, model.id];
  const filters = sent.filters.map(({ field, operator, value }) => JSON.stringify([field, operator, value]));
  const list = JSON.stringify([api.name, model.key, operation, order, filters.sort(), sent.search_term]);
  const cursors = new Cursors(services.cursorKeys, list, api);
  const forwards = cursor.parameter === "page__after";
  const edge = cursor.text === (forwards ? "start" : "end") ? null : cursors.read(cursor);
  const isNull = edge?.value === null && orderBy !== "id";
  return {
    keyset: {
      orderBy,
      descending: descending === forwards,
      edge: edge === null ? "none" : isNull ? "null" : "value",
      limit: limit + 1,
    },
    values: keysetValues(edge, limit + 1),
    finish(found) {
      const rows = found.slice(0, limit);
      if (!forwards) rows.reverse();
      const cursorOf = (row: TextRow | undefined) =>
        row === undefined
          ? null
          : cursors.write({ id: row.at(-1) ?? "", value: orderBy === "id" ? null : (row.at(-2) ?? null) });
      const hasMore = found.length > limit;
      const [isFirst, isLast] = forwards ? [edge === null, !hasMore] : [!hasMore, edge === null];
      return {
        rows,
        pagination: {
          limit,
          has_more: hasMore,
          next: isLast ? null : cursorOf(rows.at(-1)),
          previous: isFirst ? null : cursorOf(rows[0]),
        },
      };
    },
  };
}

/** A longer text is not a cursor. The longest sort value makes some 2,850 characters. */
const longestCursor = 4_096;

/** In bytes of UTF-8. */
const longestSortValue = 2_048;

const macBytes = 32;

/**
 * The cursors of one list: id and sort value of a row in base64url, with an HMAC-SHA-256 that binds them to the
 * list. They are signed, not encrypted.
 */
class Cursors {
  readonly #keys: SecretKeys<Buffer>;
  readonly #list: string;
  readonly #api: PageApi;

  constructor(keys: SecretKeys<Buffer>, list: string, api: PageApi) {
    this.#keys = keys;
    this.#list = list;
    this.#api = api;
  }

  write({ id, value }: Edge): string {
    if (value !== null && Buffer.byteLength(value) > longestSortValue)
      throw this.#refused("order_by", "has a value that is too long for a cursor");
    const payload = Buffer.from(value === null ? id : `${id}\n${value}`);
    return Buffer.concat([this.#mac(this.#keys[0], payload), payload]).toString("base64url");
  }

  read({ parameter, text }: PageCursor): Edge {
    const bytes = Buffer.from(text.slice(0, longestCursor), "base64url");
    const [mac, payload] = [bytes.subarray(0, macBytes), bytes.subarray(macBytes)];
    // Decoding ignores characters that are not base64url.
    const isWhole = bytes.toString("base64url") === text && payload.length > 0;
    const isOurs = isWhole && this.#keys.some((key) => timingSafeEqual(mac, this.#mac(key, payload)));
    if (!isOurs) throw this.#refused(parameter, notOfThisList);
    const edge = payload.toString();
    const end = edge.indexOf("\n");
    return end === -1 ? { id: edge, value: null } : { id: edge.slice(0, end), value: edge.slice(end + 1) };
  }

  #refused(parameter: string, message: string): ServiceError {
    return invalid([{ field: this.#api.nameOf(parameter), message }]);
  }

  #mac(key: Buffer, payload: Buffer): Buffer {
    return createHmac("sha256", key).update(this.#list).update("\0").update(payload).digest();
  }
}

const notOfThisList =
  "is not a cursor of this list: filters, search and order must be the same as for that list";
