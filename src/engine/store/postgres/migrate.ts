import type { Client } from 'pg'
import { migrations } from './schema.ts'

/** The schema was written by a later version of this program; it is left as it is. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema'
}

/**
 * Brings the schema of a connection to the newest version; each step is a transaction that also writes the version. Programs
 * that start at once wait for each other: whoever is second finds the work done.
 */
export async function migrate(client: Client, steps: readonly string[] = migrations): Promise<void> {
  for (;;) {
    await client.query('BEGIN')
    try {
      await client.query("SELECT pg_advisory_xact_lock(hashtext('gossamer schema'), hashtext(current_schema()))")
      const isDone = await takeStep(client, steps)
      await client.query('COMMIT')
      if (isDone) return
    } catch (thrown) {
      await client.query('ROLLBACK')
      throw thrown
    }
  }
}

async function takeStep(client: Client, steps: readonly string[]): Promise<boolean> {
  await client.query('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)')
  const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_version')
  const version = rows[0]?.version ?? 0
  if (version > steps.length)
    throw new NewerSchema(`its schema is version ${version}, this program knows ${steps.length}`)
  const step = steps[version]
  if (step === undefined) return true
  await client.query(step)
  await client.query(
    version === 0 ? 'INSERT INTO schema_version VALUES (1)' : 'UPDATE schema_version SET version = version + 1',
  )
  return version + 1 === steps.length
}
