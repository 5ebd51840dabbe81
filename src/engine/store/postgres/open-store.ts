import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { databasePlace } from '../data-places.ts'
import { storeOver } from '../store-over.ts'
import type { Store, StoreOptions } from '../store.ts'
import { schemaVersion } from '../tables.ts'
import { tsvectors } from './tsvectors.ts'
import { openPostgres } from './postgres-db.ts'
import type { Log } from '../../../kernel/log.ts'

/**
 * Opens a store on PostgreSQL, which several machines may share. Connects with the first call.
 * @param url `postgres://user:password@host/database`; tables are created in the first schema of its search path.
 */
export async function openPostgresStore(url: string, options: StoreOptions): Promise<Store> {
  const db = openPostgres(url)
  return storeOver(
    {
      db,
      fullText: tsvectors,
      openReader: async () => openPostgres(url),
      describe: () => ({ kind: 'server', path: databasePlace(url) }),
      // The operator monitors the server's disk; failed writes are reported as errors.
      storage: { isFull: async () => false },
      schema: schemaVersion,
      listen: (receive) => listenTo(url, { channel: 'gossamer', receive: () => receive() }, options.log),
      messages: {
        async send(text) {
          await db.all(`SELECT pg_notify('${messageChannel}', current_schema() || chr(10) || ?)`, [text])
        },
        listen: (receive) => listenTo(url, { channel: messageChannel, receive }, options.log),
      },
    },
    options,
  )
}

const messageChannel = 'gossamer_messages'
const reconnectMs = 1000
const connectMs = 3000

type Listener = { channel: string; receive(text: string | undefined): void }

/**
 * Calls `receive` with each text of one line sent on a channel to our schema, and with undefined whenever the
 * connection has been opened, because earlier texts may have been missed. Uses a connection of its own, opened again
 * after it was lost. Returns a function that stops it.
 */
function listenTo(url: string, { channel, receive }: Listener, log: Log): () => Promise<void> {
  const closing = new AbortController()
  let open: Client | undefined

  async function listen(): Promise<void> {
    const client = new Client({
      connectionString: url,
      application_name: 'gossamer listener',
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
    })
    open = client
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    client.on('error', () => end())
    client.on('end', end)
    await client.connect()
    const { rows } = await client.query<{ schema: string }>('SELECT current_schema() AS schema')
    client.on('notification', ({ payload = '' }) => {
      const [schema, text = ''] = payload.split('\n')
      if (schema === rows[0]?.schema) receive(text)
    })
    await client.query(`LISTEN ${channel}`)
    receive(undefined)
    await ended
  }

  const listening = (async () => {
    while (!closing.signal.aborted) {
      await listen().catch((cause: unknown) => log.debug('notifications of the database cannot be received', { cause }))
      await open?.end().catch(() => {})
      await sleep(reconnectMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  })()
  return async () => {
    closing.abort()
    await open?.end().catch(() => {})
    await listening
  }
}
