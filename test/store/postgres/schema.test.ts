import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrate, NewerSchema } from '../../../src/engine/store/postgres/migrate.ts'
import { migrations } from '../../../src/engine/store/postgres/schema.ts'
import { migrate as migrateSqlite } from '../../../src/engine/store/sqlite/db/migrate.ts'
import { noPostgres, startPostgres } from '../../helpers/postgres.ts'
import { madeSchema } from './postgres-under-test.ts'

/** The full text is each database's own, as is the place of the version. */
const isShared = (table: string) => !/^(?:page_text|schema_version|sqlite_)/.test(table)

function columnsOfSqlite(): string[] {
  const db = new DatabaseSync(':memory:')
  migrateSqlite(db)
  const rows = db
    .prepare(
      "SELECT m.name AS t, c.name AS c FROM sqlite_schema AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'",
    )
    .all()
  db.close()
  return named(rows)
}

const named = (rows: readonly object[]) =>
  (rows as { t: string; c: string }[])
    .filter(({ t }) => isShared(t))
    .map(({ t, c }) => `${t}.${c}`)
    .toSorted()

async function connections(count: number): Promise<Client[]> {
  const server = await startPostgres()
  const schema = await madeSchema(server.url)
  const clients = Array.from({ length: count }, () => new Client({ connectionString: schema.url }))
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await server.close()
  })
  await Promise.all(clients.map((client) => client.connect()))
  return clients
}

describe.skipIf(noPostgres !== undefined)(`the schema in PostgreSQL${noPostgres ? `: ${noPostgres}` : ''}`, () => {
  test('has the tables and columns of the embedded database', async () => {
    const [client] = await connections(1)
    if (client === undefined) throw new Error('no connection')
    await migrate(client)
    const { rows } = await client.query<{ t: string; c: string }>(
      'SELECT table_name AS t, column_name AS c FROM information_schema.columns WHERE table_schema = current_schema()',
    )
    expect(named(rows)).toEqual(columnsOfSqlite())
  })

  test('is made once by many programs that start together, and left alone by one that is older', async () => {
    const clients = await connections(6)
    await Promise.all(clients.map((client) => migrate(client)))
    const [client] = clients
    expect((await client?.query('SELECT version FROM schema_version'))?.rows).toEqual([{ version: migrations.length }])
    await client?.query('UPDATE schema_version SET version = version + 1')
    await expect(migrate(clients[1] as Client)).rejects.toThrow(NewerSchema)
  })
})
