import type { IncomingMessage } from "node:http";
import { BlockList, isIP, type Socket, SocketAddress } from "node:net";

/** Where a request comes from: a canonical address, and IPv4 for an IPv4-mapped one. */
export type ClientAddress = (request: Pick<IncomingMessage, "headers" | "socket">) => string;

/**
 * Reads the address of a request's client. It is that of the socket, unless this is a trusted proxy: then the leftmost
 * address of `X-Forwarded-For`, else that of `X-Real-IP` (contract: "Rate limiting (CRUD and auth)", 2). Text there that is no
 * address is ignored. `trusted` are addresses and CIDR ranges.
 */
export function clientAddressReader(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return socketAddress;
  const isProxy = membership(trusted);
  // Looked up once a connection: it takes some microseconds.
  const peers = new WeakMap<Socket, { readonly address: string; readonly isTrusted: boolean }>();
  return (request) => {
    let peer = peers.get(request.socket);
    if (peer === undefined) {
      const address = socketAddress(request);
      peer = { address, isTrusted: isProxy(address) };
      peers.set(request.socket, peer);
    }
    return peer.isTrusted ? (forwardedAddress(request) ?? peer.address) : peer.address;
  };
}

/**
 * Whether a canonical address is in one of the ranges. Each family has a list of its own: in a common one each IPv4 address
 * would also be in `::/64`, by its mapping into IPv6.
 */
function membership(ranges: readonly string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) {
    const [text = "", bits] = range.split("/");
    const address = canonicalAddress(text) ?? text;
    const family = familyOf(address);
    // An IPv4-mapped address has 96 bits in front of its own.
    const mappingBits = family === familyOf(text) ? 0 : 96;
    const prefix = bits === undefined ? addressBits[family] : Number(bits) - mappingBits;
    if (prefix >= 0) lists[family].addSubnet(address, prefix, family);
    else lists.ipv6.addSubnet(text, Number(bits), "ipv6");
  }
  return (address) => {
    const family = familyOf(address);
    return lists[family].check(address, family);
  };
}

const addressBits = { ipv4: 32, ipv6: 128 };

function familyOf(address: string): "ipv4" | "ipv6" {
  return address.includes(":") ? "ipv6" : "ipv4";
}

/** A socket has none when the client has left. */
function socketAddress({ socket }: Pick<IncomingMessage, "socket">): string {
  return bareAddress(socket.remoteAddress ?? "unknown");
}

function forwardedAddress({ headers }: Pick<IncomingMessage, "headers">): string | null {
  return firstAddress(headers["x-forwarded-for"]) ?? firstAddress(headers["x-real-ip"]);
}

function firstAddress(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  for (const text of String(header).split(",")) {
    const address = canonicalAddress(text.trim());
    if (address !== null) return address;
  }
  return null;
}

/** Some proxies add the port. */
const withPort = /^(?:\[([\da-f:.]+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/i;

/** The canonical form of an address, of several that mean the same; null for text that is none. */
export function canonicalAddress(text: string): string | null {
  const [, bracketed, dotted] = withPort.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  const family = isIP(address);
  if (family === 4) return address;
  if (family === 0 || address.includes("%")) return null;
  return bareAddress(new SocketAddress({ address, family: "ipv6" }).address);
}

/** An address without the mapping of IPv4 into IPv6, and without the zone, which names an interface. */
function bareAddress(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const zone = address.indexOf("%");
  return zone === -1 ? address : address.slice(0, zone);
}

const groupBits = 16;

/**
 * The network that a canonical address counts as: of IPv6 the one with so many bits, `2001:db8:1:2::/64`, since a client can use all
 * of its addresses; any other is itself.
 */
export function networkOf(address: string, ipv6Prefix: number): string {
  if (!address.includes(":")) return address;
  const kept = groupsOf(address).map((group, index) => {
    const bits = Math.min(groupBits, Math.max(0, ipv6Prefix - index * groupBits));
    return group & (0xffff << (groupBits - bits));
  });
  const text = kept.map((group) => group.toString(16)).join(":");
  return `${new SocketAddress({ address: text, family: "ipv6" }).address}/${ipv6Prefix}`;
}

/** The eight groups of an address of IPv6. A URL writes all of them in hexadecimal. */
function groupsOf(address: string): number[] {
  const [front = [], back = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split("::")
    .map((half) => (half === "" ? [] : half.split(":").map((group) => Number.parseInt(group, groupBits))));
  const zeros = Array<number>(128 / groupBits - front.length - back.length).fill(0);
  return [...front, ...zeros, ...back];
}
