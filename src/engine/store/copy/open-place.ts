import { existsSync } from 'node:fs'
import { AppError } from '../../../kernel/error.ts'
import { openPostgres } from '../postgres/postgres-db.ts'
import { tsvectors } from '../postgres/full-text/tsvectors.ts'
import { choosePlace, databaseFile } from '../sqlite/db/place.ts'
import { openSqlite } from '../sqlite/db/sqlite-db.ts'
import { fts5 } from '../sqlite/page-index/fts5.ts'
import type { CopyPlace } from './copy.ts'
import type { Db } from '../sqlite/db/db.ts'

/**
 * @param place a data folder, or the URL of a PostgreSQL database
 * Rejects with an AppError where a folder to copy from holds no data, or one to copy to cannot be written.
 */
export async function openCopyPlace(place: string, as: 'source' | 'target'): Promise<CopyPlace> {
  if (/^postgres(?:ql)?:/.test(place)) {
    const db = openPostgres(place)
    return {
      db,
      fullText: tsvectors,
      settle: () => settleIdentities(db),
      emptying: (tables) => [{ sql: `TRUNCATE ${tables.join(', ')} CASCADE` }],
      close: () => db.close(),
    }
  }
  if (place === '')
    throw new AppError('COPY_REFUSED', {
      status: 400,
      message: `The ${as} has no name; a variable of the shell may be unset.`,
      hint: 'Name a data folder, or the URL of a PostgreSQL database.',
    })
  if (as === 'source' && !existsSync(databaseFile(place)))
    throw new AppError('COPY_REFUSED', {
      status: 404,
      message: `${place} holds no data.`,
      hint: 'Name a data folder, as GOSSAMER_DATA_DIR does, or the URL of a PostgreSQL database.',
    })
  const { path, warning } = await choosePlace(place)
  if (path === null) throw new AppError('COPY_REFUSED', { status: 404, message: warning ?? `${place} cannot be used.` })
  const db = openSqlite(path)
  return {
    db,
    fullText: fts5,
    settle: async () => {},
    emptying: (tables) => tables.toReversed().map((name) => ({ sql: `DELETE FROM ${name}` })),
    close: () => db.close(),
  }
}

const identities = [
  ['cache_page', 'id'],
  ['crawl_page', 'seq'],
  ['kept_text', 'id'],
  ['slot', 'seq'],
] as const

/** Has new rows numbered on from those that came with numbers of their own. */
async function settleIdentities(db: Db): Promise<void> {
  for (const [table, column] of identities)
    await db.all(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), (SELECT COALESCE(MAX(${column}), 0) + 1 FROM ${table}), FALSE)`,
    )
}
