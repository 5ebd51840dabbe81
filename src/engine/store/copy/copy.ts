import type { Objects } from '../objects.ts'
import type { Clock } from '../../../contracts/ports.ts'
import type { Db, Param, Row, Statement } from '../sqlite/db/db.ts'
import type { FullText } from '../sqlite/page-index/full-text.ts'
import { type Claim, claimTarget, refuse } from './claim-target.ts'
import { indexAgain } from './index-again.ts'
import { filesWithContent } from './files-with-content.ts'
import { type CopiedTable, copiedTables, countedTables } from './tables.ts'

/** A database that is copied from or to. */
export type CopyPlace = {
  db: Db
  fullText: FullText
  /** Called once all rows are there: numbers that are given to new rows go on behind them. */
  settle(): Promise<void>
  /** What deletes all rows of tables, of which each comes after those it refers to. */
  emptying(tables: readonly string[]): readonly Statement[]
  close(): Promise<void>
}
export type Copied = { table: string; rows: number }

/**
 * Copies all that one database holds into another that is empty, of whatever kind they are, and makes the index of pages anew.
 * Rows keep their numbers. Nobody may work on either meanwhile.
 * Files that lie in an object store are brought into the database, so that neither of the two deletes what the other refers to.
 * Rejects with an AppError where the target holds data, or a program still works on one of them; then nothing was written. What
 * is left by a copy that failed or was killed is deleted by the next one, and no server starts on it.
 * @param told after each table
 */
export async function copyDatabase(
  from: CopyPlace,
  to: CopyPlace,
  { clock, objects, told }: { clock: Clock; objects?: Objects | undefined; told(copied: Copied): void },
): Promise<void> {
  await refuseInUse(from.db, clock.now())
  await refuseInUse(to.db, clock.now())
  const claim = await claimTarget(to, clock)
  const copyAll = (table: CopiedTable) => copyTable({ from: from.db, to: to.db, claim, objects }, table)
  for (const table of copiedTables) told({ table: table.name, rows: await copyAll(table) })
  for (const table of copiedTables) if (countedTables.includes(table.name)) await copyAll(table)
  await to.settle()
  told({ table: 'page_entry', rows: await indexAgain(from.db, to, claim) })
  await claim.finish()
}

/** What a program that works on something holds for as long. */
const leased = ['quota_worker WHERE TRUE', 'crawl_page WHERE state = 1', "workflow WHERE status = 'processing'"]

async function refuseInUse(db: Db, now: number): Promise<void> {
  const [found] = await db.all(
    leased.map((each) => `SELECT 1 AS found FROM ${each} AND lease_until > ?`).join(' UNION ALL ') + ' LIMIT 1',
    leased.map(() => now),
  )
  if (found !== undefined)
    refuse('A program still works on this data.', 'End it, wait for half a minute, and copy then.')
}

type Copying = { from: Db; to: Db; claim: Claim; objects: Objects | undefined }

async function copyTable({ from, to, claim, objects }: Copying, table: CopiedTable): Promise<number> {
  const columns = await columnsOf(from, table.name)
  if (columns.length === 0) return 0
  let copied = 0
  let last: Row | undefined
  for (;;) {
    const rows = await from.all(...sliceAfter(table, columns, last))
    const whole = table.name === 'linked_file' ? await filesWithContent(rows, objects) : rows
    if (whole.length > 0) {
      const [renewed] = await to.transaction([claim.renewal(), upsert(table, columns, whole)])
      claim.check(renewed?.changes)
    }
    copied += whole.length
    last = rows.at(-1)
    if (rows.length < table.slice) return copied
  }
}

/** Those of its first row; a table without rows has none to copy. */
async function columnsOf(db: Db, name: string): Promise<string[]> {
  const [row] = await db.all(`SELECT * FROM ${name} LIMIT 1`)
  return Object.keys(row ?? {})
}

/** Under another name a packed column is not unpacked. */
const rawName = (column: string) => `raw_${column.replace(/_zst$/, '')}`

function sliceAfter({ name, key, slice }: CopiedTable, columns: readonly string[], last?: Row): [string, Param[]] {
  const places = key.map(() => '?').join(', ')
  const after = last === undefined ? '' : ` WHERE (${key.join(', ')}) > (${places})`
  return [
    `SELECT ${columns.map((column) => `${column} AS ${rawName(column)}`).join(', ')} FROM ${name}${after}
      ORDER BY ${key.join(', ')} LIMIT ${slice}`,
    last === undefined ? [] : key.map((column) => last[rawName(column)] ?? null),
  ]
}

function upsert({ name, key }: CopiedTable, columns: readonly string[], rows: readonly Row[]): Statement {
  const others = columns.filter((column) => !key.includes(column))
  const place = `(${columns.map(() => '?').join(', ')})`
  const change = others.map((column) => `${column} = excluded.${column}`).join(', ')
  return {
    sql: `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${rows.map(() => place).join(', ')}
      ON CONFLICT (${key.join(', ')}) DO ${change === '' ? 'NOTHING' : `UPDATE SET ${change}`}`,
    params: rows.flatMap((row) => columns.map((column) => row[rawName(column)] ?? null)),
  }
}
