import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import type { Objects } from '../../../src/engine/store/data-places.ts'
import { openPostgresStore } from '../../../src/engine/store/postgres/open-store.ts'
import type { Store } from '../../../src/engine/store/store.ts'
import type { OpenStore } from '../../contracts/store-under-test.ts'
import { reopened } from '../reopened.ts'

/** Creates a schema on a server. `drop` may be called repeatedly. */
export async function madeSchema(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await indexQuery(serverUrl, `CREATE SCHEMA ${name}`)
  return {
    url: `${serverUrl}?options=-csearch_path%3D${name}`,
    drop: () => indexQuery(serverUrl, `DROP SCHEMA IF EXISTS ${name} CASCADE`),
  }
}

async function indexQuery(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** Empties a migrated schema, at a hundredth of the cost of creating a new one. Sequences restart. */
const empty = `
  SET session_replication_role = replica;
  DO $$ DECLARE each RECORD; BEGIN
    FOR each IN SELECT tablename AS name FROM pg_tables
      WHERE schemaname = current_schema() AND tablename <> 'schema_version' LOOP
      EXECUTE format('DELETE FROM %I', each.name);
    END LOOP;
    FOR each IN SELECT sequencename AS name FROM pg_sequences WHERE schemaname = current_schema() LOOP
      EXECUTE format('ALTER SEQUENCE %I RESTART', each.name);
    END LOOP;
  END $$`

/**
 * PostgreSQL at this address, with a separate schema for each test: a new one, or an emptied one of an earlier test.
 * `objects` stores its long files. Migrations create only `schema_version` and empty tables.
 */
export function openIn(serverUrl: () => string, objects?: () => Objects): OpenStore<keyof Store> {
  const left: { url: string }[] = []
  return async (settings) => {
    const schema = left.pop() ?? (await madeSchema(serverUrl()))
    return reopened({
      open: (usual) => openPostgresStore(schema.url, { ...usual, dir: null, objects: objects?.(), ...settings }),
      async remove() {
        await indexQuery(schema.url, empty)
        left.push(schema)
      },
    })
  }
}
