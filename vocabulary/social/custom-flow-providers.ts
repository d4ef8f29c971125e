import { type CustomFlowProvider, renamableNote, type SamlProvider, switchedOffNote } from "./provider.ts";

/** Providers with their own protocols. */
export const customFlowProviders: Readonly<Record<string, CustomFlowProvider>> = {
  discourse: {
    title: "Discourse",
    protocol: "custom",
    flow: "discourse",
    authorize: "{server_url}/session/sso_provider",
    user: { uid: "form:external_id", email: "form:email", fullName: "form:name" },
    app: "secret",
    settings: { required: ["server_url"] },
  },
  "google-onetap": {
    title: "Google One Tap",
    protocol: "custom",
    flow: "google-onetap",
    idToken: {
      issuers: ["https://accounts.google.com", "accounts.google.com"],
      keys: "https://www.googleapis.com/oauth2/v3/certs",
    },
    user: {
      uid: "id_token:sub",
      email: "id_token:email",
      emailVerified: "id_token:email_verified",
      firstName: "id_token:given_name",
      lastName: "id_token:family_name",
      fullName: "id_token:name",
    },
    app: "id",
    package: "google-auth-library",
  },
  lastfm: {
    title: "Last.fm",
    warning: renamableNote,
    protocol: "custom",
    flow: "lastfm",
    authorize: "https://www.last.fm/api/auth/?api_key={client_id}",
    token: "https://ws.audioscrobbler.com/2.0/",
    user: { uid: "token:session.name" },
  },
  loginradius: {
    title: "LoginRadius",
    protocol: "custom",
    flow: "loginradius",
    token: "https://api.loginradius.com/api/v2/access_token",
    profile: { url: "https://api.loginradius.com/api/v2/userprofile", token: "query:access_token" },
    // A gateway to many providers, which can have the same ids.
    user: {
      uid: "={Provider}-{ID}",
      email: "Email[0].Value",
      firstName: "FirstName",
      lastName: "LastName",
      fullName: "FullName",
    },
  },
  pocket: {
    title: "Pocket",
    protocol: "custom",
    flow: "pocket",
    request: "https://getpocket.com/v3/oauth/request",
    authorize: "https://getpocket.com/auth/authorize",
    token: "https://getpocket.com/v3/oauth/authorize",
    user: { uid: "token:username" },
    app: "id",
    warning: switchedOffNote,
  },
  telegram: {
    title: "Telegram",
    protocol: "custom",
    flow: "telegram",
    user: { uid: "form:id", firstName: "form:first_name", lastName: "form:last_name" },
    app: "none",
    settings: { secrets: ["bot_token"] },
  },
  twilio: {
    title: "Twilio Connect",
    protocol: "custom",
    flow: "twilio",
    authorize: "https://www.twilio.com/authorize/{client_id}",
    user: { uid: "form:AccountSid" },
    app: "id",
    warning: "does not sign its callback: anyone who knows an account id can sign in with it",
  },
  "vk-openapi": {
    title: "VK Open API",
    protocol: "custom",
    flow: "vk-openapi",
    user: { uid: "form:id", firstName: "form:first_name", lastName: "form:last_name" },
    app: "secret",
    settings: { required: ["app_id"] },
  },
};

/** SAML 2.0. Its settings list any number of identity providers. */
export const samlProvider: SamlProvider = {
  title: "SAML 2.0",
  protocol: "saml",
  // Two identity providers can have the same id.
  user: {
    uid: "={saml:idp}:{saml:user_permanent_id}",
    email: "saml:email",
    firstName: "saml:first_name",
    lastName: "saml:last_name",
    fullName: "saml:full_name",
  },
  app: "none",
  package: "@node-saml/node-saml",
  settings: {
    required: [
      "sp_entity_id",
      "sp_public_cert",
      "org_info",
      "technical_contact",
      "support_contact",
      "enabled_idps",
    ],
    secrets: ["sp_private_key"],
  },
  loginParameter: "idp",
};
