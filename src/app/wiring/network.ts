import type { Config } from '../config.ts'

export type Network = Awaited<ReturnType<typeof openNetwork>>

export async function openNetwork(config: Config) {
  const { createAddressRule } = await import('../../engine/net/address/address.ts')
  const { createFetcher } = await import('../../engine/net/http/client.ts')
  const { createProxyRotation, parseProxy } = await import('../../engine/net/proxy/upstream-proxy.ts')
  const rule = createAddressRule(config.allowHosts)
  const chooseProxy = createProxyRotation(config.proxies.map(parseProxy))
  return { rule, chooseProxy, ...createFetcher({ userAgent: config.userAgent, rule, chooseProxy }) }
}
