import { isIP } from 'node:net'
import { failExpected, type ParseVariable } from './variables.ts'

/** Whose X-Forwarded-For counts: that of so many proxies, or of the proxies in these networks. */
export type TrustedProxies = number | string[]

const mostHops = 9
/** A larger network holds people as well, whose own X-Forwarded-For would then count. */
const shortestPrefix = { 4: 8, 6: 7 } as const

const isNetwork = (text: string): boolean => {
  const [address = '', prefix, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0 || address.includes('%')) return false
  if (prefix === undefined) return true
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
  return version === 4
    ? bits >= shortestPrefix[4] && bits <= 32
    : bits >= shortestPrefix[6] && bits <= 128 && !/^::ffff:/i.test(address)
}

/** Parses TRUST_PROXY (operations 12). */
export const trustedProxies: ParseVariable<TrustedProxies> = (text) => {
  if (/^\d$/.test(text)) return Number(text)
  const networks = text.split(',').map((network) => network.trim())
  return networks.every(isNetwork)
    ? networks
    : failExpected(
        `the number of proxies in front of the portal, 0 to ${mostHops}, ` +
          'or a list of their networks, like 10.1.0.0/16,fd00::/8',
      )
}
