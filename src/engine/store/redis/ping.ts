import { newClient } from './client.ts'

const patienceMs = 3000

/** How long Redis takes to answer, ms. Fails with what the client says where it does not. */
export async function pingRedis(url: string): Promise<number> {
  const client = newClient({ url, socket: { connectTimeout: patienceMs, reconnectStrategy: false } })
  client.on('error', () => {})
  try {
    await client.connect()
    const askedAt = performance.now()
    await client.ping()
    return performance.now() - askedAt
  } finally {
    client.destroy()
  }
}
