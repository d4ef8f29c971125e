// @ts-check

/** The browser made no passkey, or none was chosen. */
const refused = "The browser did not use a passkey. It needs https or localhost, and a device with passkeys.";

/**
 * Asks the user for a new passkey. Returns the response for the service, or the reason without one.
 *
 * @param {PublicKeyCredentialCreationOptionsJSON} options
 */
export async function createPasskey(options) {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return responseOf(await navigator.credentials.create({ publicKey }));
  } catch {
    return refused;
  }
}

/**
 * Asks the user for a passkey. Returns the response for the service, or the reason without one.
 *
 * @param {PublicKeyCredentialRequestOptionsJSON} options
 * @param {Omit<CredentialRequestOptions, "publicKey">} more
 */
export async function usePasskey(options, more = {}) {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return responseOf(await navigator.credentials.get({ publicKey, ...more }));
  } catch {
    return refused;
  }
}

/** @param {Credential | null} credential */
function responseOf(credential) {
  return credential instanceof PublicKeyCredential ? credential.toJSON() : refused;
}

/** Whether the browser can offer passkeys in the field of the e-mail address. */
export async function offersPasskeys() {
  return (await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.()) ?? false;
}
