import { type OpenId2Provider, openIdAttributes } from "./provider.ts";

/** Providers of OpenID 2.0. */
export const openId2Providers: Readonly<Record<string, OpenId2Provider>> = {
  "actionid-openid": {
    title: "NGP VAN ActionID",
    protocol: "openid2",
    url: "https://accounts.ngpvan.com/Home/Xrds",
    user: openIdAttributes,
    attributes: "openid-schema",
  },
  belgiumeid: {
    title: "Belgium eID",
    protocol: "openid2",
    url: "https://www.e-contract.be/eid-idp/endpoints/openid/auth",
    user: openIdAttributes,
  },
  fedora: {
    title: "Fedora (OpenID)",
    protocol: "openid2",
    url: "https://id.fedoraproject.org",
    user: openIdAttributes,
  },
  launchpad: {
    title: "Launchpad",
    protocol: "openid2",
    url: "https://login.launchpad.net",
    user: openIdAttributes,
  },
  livejournal: {
    title: "LiveJournal",
    protocol: "openid2",
    url: "https://{openid_lj_user}.livejournal.com",
    user: openIdAttributes,
    loginParameter: "openid_lj_user",
  },
  openid: {
    title: "Generic OpenID 2.0",
    protocol: "openid2",
    url: "{openid_identifier}",
    user: openIdAttributes,
    settings: { required: ["allowed_hosts"] },
    loginParameter: "openid_identifier",
  },
  openinfra: {
    title: "OpenInfra",
    protocol: "openid2",
    url: "https://id.openinfra.dev",
    user: openIdAttributes,
  },
  openstack: {
    title: "OpenStack",
    protocol: "openid2",
    url: "https://openstackid.org",
    user: openIdAttributes,
  },
  opensuse: {
    title: "openSUSE",
    protocol: "openid2",
    url: "https://www.opensuse.org/openid/user/",
    user: openIdAttributes,
  },
  steam: {
    title: "Steam",
    protocol: "openid2",
    url: "https://steamcommunity.com/openid",
    profile: {
      url: "https://api.steampowered.com/ISteamUser/GetPlayerSummaries/v0002/",
      token: "none",
      parameters: { key: "{api_key}", steamids: "{openid:identity_url#last}" },
    },
    user: { uid: "openid:identity_url#last" },
    settings: { secrets: ["api_key"] },
    identityPrefix: "https://steamcommunity.com/openid/id/",
  },
  ubuntu: {
    title: "Ubuntu One",
    protocol: "openid2",
    url: "https://login.ubuntu.com",
    user: openIdAttributes,
  },
  "yandex-openid": {
    title: "Yandex (OpenID)",
    protocol: "openid2",
    url: "https://openid.yandex.ru",
    user: openIdAttributes,
  },
};
