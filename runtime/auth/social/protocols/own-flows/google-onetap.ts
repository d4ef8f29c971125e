import type { OwnFlowProvider } from "../../../../../vocabulary/social/provider.ts";
import { isSameText } from "../../../crypto/same-text.ts";
import type { Answers } from "../../conversation/paths.ts";
import type { Provider } from "../../declared-provider.ts";
import { SocialFailure } from "../../social-failure.ts";
import { requireSent } from "../code.ts";
import { claimsOf } from "../id-token.ts";
import type { KeySets } from "../key-sets.ts";
import type { Arrival, Protocol } from "../protocol.ts";

type Row = OwnFlowProvider;

/** Google One Tap: its script posts an id_token, and a word that stands in a cookie of the page as well. */
export function googleOneTap(keys: KeySets): Protocol<Row> {
  return { begin: null, finish: (arrival) => finish(keys, arrival) };
}

async function finish(keys: KeySets, { provider, form, cookies }: Arrival<Row>): Promise<Answers> {
  const credential = requireSent(form, "credential");
  const word = requireSent(form, "g_csrf_token");
  if (!isSameText(cookies.get("g_csrf_token") ?? "", word)) throw refused("the page did not post it");
  try {
    await requireGenuine(keys, provider, credential);
  } catch (error) {
    // A message of the library may hold the token.
    throw error instanceof SocialFailure ? error : refused("a check failed");
  }
  return { id_token: claimsOf(credential) };
}

/** Google's own library checks signature, issuer, audience and times. The keys come the way that all calls to providers go. */
async function requireGenuine(keys: KeySets, provider: Provider<Row>, credential: string): Promise<void> {
  const { decodeProtectedHeader, exportSPKI } = await import("jose");
  const { OAuth2Client } = await import("google-auth-library");
  const { alg, kid } = decodeProtectedHeader(credential);
  if (alg !== "RS256" || kid === undefined) throw refused("its header is not Google's");
  const { issuers = [], keys: address = "" } = provider.row.idToken ?? {};
  const find = keys.at(provider.endpoint("jwks_uri", address));
  const key = await find({ alg, kid }, { payload: "", signature: "" });
  if (key instanceof Uint8Array || !("type" in key)) throw refused("its key is none");
  const own = provider.text("id_token_issuer");
  await new OAuth2Client().verifySignedJwtWithCertsAsync(
    credential,
    { [kid]: await exportSPKI(key) },
    provider.clientId,
    own === null ? [...issuers] : [own],
  );
}

function refused(reason: string): SocialFailure {
  return new SocialFailure(`the credential was refused: ${reason}`);
}
