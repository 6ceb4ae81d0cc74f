import { BlockList, isIP } from 'node:net'
import type { TrustedProxies } from '../config/proxy.ts'

/**
 * Whether the proxy at an address, so many hops from the portal, is trusted to say who called it. Fastify
 * reads X-Forwarded-For with it from the right: the first address that is not trusted is the caller's
 * (operations 12). Without a proxy: false.
 */
export function trustProxy(proxies: TrustedProxies): false | ((address: string, hop: number) => boolean) {
  // A bare number is refused by Fastify, which cannot distinguish a proxy from a person who sends the header.
  if (typeof proxies === 'number') return proxies > 0 && ((_, hop) => hop < proxies)
  const networks = new BlockList()
  for (const network of proxies) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) networks.addAddress(address, family)
    else networks.addSubnet(address, Number(prefix), family)
  }
  // A socket without a network has no address.
  return (text: string | undefined) => {
    const address = bareAddress(text ?? '')
    return address !== null && networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
}

/**
 * An IP address without the port, brackets, zone and IPv4 prefix that proxies add; null for anything else.
 */
export function bareAddress(text: string): string | null {
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text.split('%')[0]!
  const address = /^::ffff:([\d.]+)$/i.exec(bare)?.[1] ?? bare
  return isIP(address) ? address.toLowerCase() : null
}

type Caller = { ip?: string; socket: { remoteAddress?: string | undefined } }

/** The address a call comes from. What a proxy wrote that is no address counts as the proxy's own. */
export const addressOf = ({ ip, socket }: Caller): string =>
  bareAddress(ip ?? '') ?? bareAddress(socket.remoteAddress ?? '') ?? 'unknown'

/**
 * The network that limits count attempts by: an IPv4 address itself, or the /64 prefix of an IPv6 address,
 * because one subscriber has all 2^64 addresses of its prefix.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [left = '', right] = address.split('::')
  const groups = (part: string | undefined) => (part ? part.split(':') : [])
  const given = [...groups(left), ...groups(right)]
  // An IPv4 address at the end takes the place of two groups.
  const length = given.length + (given.at(-1)?.includes('.') ? 1 : 0)
  const zeros = right === undefined ? [] : Array<string>(8 - length).fill('0')
  const all = [...groups(left), ...zeros, ...groups(right)]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
