import type { DatabaseSync } from 'node:sqlite'
import { migrations } from './schema.ts'
import { immediately, pragma } from './sqlite-file.ts'

/** The file was written by a later version of this program; it is left as it is. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema'
}

/**
 * Brings a database to the newest schema; each step is a transaction that also writes the version.
 * Safe in many processes at once: whoever gets the write lock second finds the work done.
 */
export function migrate(db: DatabaseSync, steps: readonly string[] = migrations): void {
  while (versionOf(db, steps.length) < steps.length) {
    immediately(db, () => {
      const version = versionOf(db, steps.length)
      const step = steps[version]
      if (step === undefined) return
      db.exec(step)
      db.exec(`PRAGMA user_version = ${version + 1}`)
    })
  }
  // What another process made since this connection last looked is else not found by its first statement.
  db.exec('SELECT 1 FROM sqlite_schema')
}

function versionOf(db: DatabaseSync, known: number): number {
  const version = pragma(db, 'user_version')
  if (version > known) throw new NewerSchema(`its schema is version ${version}, this program knows ${known}`)
  return version
}
