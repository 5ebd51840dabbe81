import type { Db } from '../sqlite/db/db.ts'

const identities = [
  ['cache_page', 'id'],
  ['crawl_page', 'seq'],
  ['kept_text', 'id'],
  ['slot', 'seq'],
] as const

/** Has new rows numbered on from those that came with numbers of their own. */
export async function settleIdentities(db: Db): Promise<void> {
  for (const [table, column] of identities)
    await db.all(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), (SELECT COALESCE(MAX(${column}), 0) + 1 FROM ${table}), FALSE)`,
    )
}
