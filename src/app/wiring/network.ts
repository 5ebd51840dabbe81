import type { Config } from '../config.ts'

export type Network = Awaited<ReturnType<typeof openNetwork>>

export async function openNetwork(config: Config) {
  const { createAddressRule } = await import('../../engine/net/address/address.ts')
  const { createFetcher } = await import('../../engine/net/http/client.ts')
  const { createProxyChoice, parseProxy } = await import('../../engine/net/proxy/proxy-address.ts')
  const rule = createAddressRule(config.allowHosts)
  const chooseProxy = createProxyChoice(config.proxies.map(parseProxy))
  return { rule, chooseProxy, ...createFetcher({ userAgent: config.userAgent, rule, chooseProxy }) }
}
