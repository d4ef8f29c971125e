import type { IncomingMessage } from "node:http";
import { BlockList, isIP, type Socket, SocketAddress } from "node:net";

/** The canonical address of a request; IPv4 for an IPv4-mapped address. */
export type ClientAddress = (request: Pick<IncomingMessage, "headers" | "socket">) => string;

/**
 * Reads the client address: that of the socket, or for a trusted proxy the leftmost address of
 * `X-Forwarded-For`, else `X-Real-IP`. Other text is ignored. `trusted` has addresses and CIDR ranges.
 */
export function clientAddressReader(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return socketAddress;
  const isProxy = membership(trusted);
  // Once per connection, because it takes some microseconds.
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
 * Whether a canonical address is in a range. Separate lists: in one list, each IPv4 address would also be in
 * `::/64`, because of its mapping into IPv6.
 */
function membership(ranges: readonly string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) {
    const [text = "", bits] = range.split("/");
    const address = canonicalAddress(text) ?? text;
    const family = familyOf(address);
    // In an IPv4-mapped address, the IPv4 address follows 96 bits.
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

/** The socket has no address if the client has left. */
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

/** The canonical form of an address; null for other text. */
export function canonicalAddress(text: string): string | null {
  const [, bracketed, dotted] = withPort.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  const family = isIP(address);
  if (family === 4) return address;
  if (family === 0 || address.includes("%")) return null;
  return bareAddress(new SocketAddress({ address, family: "ipv6" }).address);
}

/** Removes the IPv4 mapping and the zone, which names an interface. */
function bareAddress(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const zone = address.indexOf("%");
  return zone === -1 ? address : address.slice(0, zone);
}

const groupBits = 16;

/**
 * The network that an address counts as. For IPv6 it has `ipv6Prefix` bits, such as `2001:db8:1:2::/64`,
 * because a client can use all of its addresses.
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

/** The eight groups of an IPv6 address. `URL` writes all of them in hexadecimal. */
function groupsOf(address: string): number[] {
  const [front = [], back = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split("::")
    .map((half) => (half === "" ? [] : half.split(":").map((group) => Number.parseInt(group, groupBits))));
  const zeros = Array<number>(128 / groupBits - front.length - back.length).fill(0);
  return [...front, ...zeros, ...back];
}
