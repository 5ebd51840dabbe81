import type { Objects } from '../data-places.ts'
import type { Clock } from '../../../contracts/ports.ts'
import { type Db, jsonRecord, nullableText, type Param, type Row, type Statement, text } from '../sqlite/db/db.ts'
import { fts5, type FullText } from '../sqlite/page-index/full-text.ts'
import type { IndexedPage } from '../../../contracts/stored-pages.ts'
import { placed, writeEntries } from '../sqlite/page-index/entries.ts'
import { textsOf } from '../sqlite/page-index/index-text.ts'
import { existsSync } from 'node:fs'
import { AppError } from '../../../kernel/error.ts'
import { openPostgres } from '../postgres/postgres-db.ts'
import { tsvectors } from '../postgres/tsvectors.ts'
import { choosePlace, databaseFile } from '../sqlite/db/database-file.ts'
import { openSqlite } from '../sqlite/db/sqlite-db.ts'
import { hasDied, newWorkerId } from '../worker-id.ts'

/** A database to copy from or to. */
type CopyPlace = {
  db: Db
  fullText: FullText
  /** Called once all rows are written, so generated row numbers continue after them. */
  settle(): Promise<void>
  /** Returns statements that delete all rows of the tables, which are ordered by reference. */
  emptying(tables: readonly string[]): readonly Statement[]
  close(): Promise<void>
}
type Copied = { table: string; rows: number }

/**
 * Copies one database into another, empty one (both of any kind) and rebuilds the page index. Rows keep their numbers.
 * Neither database may be in use.
 * Files in an object store are copied into the database, so neither database deletes files of the other.
 * Rejects with an AppError, before anything is written, if the target contains data or one of the databases is in use.
 * Data of a failed or killed copy is deleted by the next one, and no server starts on it.
 * @param onCopied called after each table
 */
export async function copyDatabase(
  from: CopyPlace,
  to: CopyPlace,
  { clock, objects, onCopied }: { clock: Clock; objects?: Objects | undefined; onCopied(copied: Copied): void },
): Promise<void> {
  await refuseInUse(from.db, clock.now())
  await refuseInUse(to.db, clock.now())
  const claim = await claimTarget(to, clock)
  const copyAll = (table: CopiedTable) => copyTable({ from: from.db, to: to.db, claim, objects }, table)
  for (const table of copiedTables) onCopied({ table: table.name, rows: await copyAll(table) })
  for (const table of copiedTables) if (countedTables.includes(table.name)) await copyAll(table)
  await to.settle()
  onCopied({ table: 'page_entry', rows: await rebuildIndex(from.db, to, claim) })
  await claim.finish()
}

/** Conditions on rows with leases, which only running programs hold. */
const leased = ['quota_worker WHERE TRUE', 'crawl_page WHERE state = 1', "workflow WHERE status = 'processing'"]

async function refuseInUse(db: Db, now: number): Promise<void> {
  const [lease] = await db.all(
    leased.map((each) => `SELECT 1 AS lease FROM ${each} AND lease_until > ?`).join(' UNION ALL ') + ' LIMIT 1',
    leased.map(() => now),
  )
  if (lease !== undefined)
    refuse('A program is still using this data.', 'Stop it, wait half a minute, then copy again.')
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

/** Returns the column names of a table; none for an empty table, which needs no copy. */
async function columnsOf(db: Db, name: string): Promise<string[]> {
  const [row] = await db.all(`SELECT * FROM ${name} LIMIT 1`)
  return Object.keys(row ?? {})
}

/** Returns an alias for a column; under it, the driver does not unpack a packed column. */
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

const pagesASlice = 50

/** Rebuilds the index of the target from the pages of the source. Returns the number of pages read. */
async function rebuildIndex(from: Db, to: { db: Db; fullText: FullText }, claim: Claim): Promise<number> {
  let last = -1
  let pages = 0
  for (;;) {
    const rows = await from.all(
      `SELECT entry.page_id, page.key, page.headers, entry.team_id, entry.url, entry.title, entry.description, page.fetched_at
        FROM page_entry AS entry JOIN cache_page AS page ON page.id = entry.page_id
        WHERE entry.page_id > ? ORDER BY entry.page_id LIMIT ${pagesASlice}`,
      [last],
    )
    const texts = await textsOf(
      from,
      rows.map(({ page_id }) => Number(page_id)),
    )
    await writeEntries(
      to.db,
      to.fullText,
      rows.flatMap((row) => placed(pageOf(row, texts.get(Number(row.page_id)) ?? ''))),
    )
    const [renewed] = await to.db.transaction([claim.renewal()])
    claim.check(renewed?.changes)
    pages += rows.length
    if (rows.length < pagesASlice) return pages
    last = Number(rows.at(-1)?.page_id)
  }
}

const pageOf = (row: Row, markdown: string): IndexedPage => ({
  cacheKey: text(row.key),
  teamId: text(row.team_id),
  url: text(row.url),
  title: text(row.title),
  description: text(row.description),
  text: markdown,
  fetchedAt: Number(row.fetched_at),
  contentType: jsonRecord(row.headers)['content-type'],
})

/** Loads the content of files from the object store. Missing files, such as expired ones, are left out. */
async function filesWithContent(rows: readonly Row[], objects: Objects | undefined): Promise<Row[]> {
  const whole: Row[] = []
  for (const row of rows) {
    const key = nullableText(row.raw_object_key ?? null)
    if (key !== null && !objects)
      refuse(
        'Files of the source are in an object store.',
        'Set GOSSAMER_OBJECTS_URL to the value that its servers use.',
      )
    const content = key === null ? undefined : await objects?.get(key, Number(row.raw_object_bytes))
    if (key === null) whole.push(row)
    else if (content) whole.push({ ...row, raw_bytes: content, raw_object_key: null, raw_object_bytes: null })
  }
  return whole
}

/**
 * Rejects with an AppError if a source folder has no data, or a folder is not writable.
 * @param place a data folder, or the URL of a PostgreSQL database
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
      message: `The ${as} is an empty text; a variable of the shell may be unset.`,
      hint: 'Name a data folder, or the URL of a PostgreSQL database.',
    })
  if (as === 'source' && !existsSync(databaseFile(place)))
    throw new AppError('COPY_REFUSED', {
      status: 404,
      message: `${place} contains no database.`,
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

/** Sets sequences to continue after the copied row numbers. */
async function settleIdentities(db: Db): Promise<void> {
  for (const [table, column] of identities)
    await db.all(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), (SELECT COALESCE(MAX(${column}), 0) + 1 FROM ${table}), FALSE)`,
    )
}

/** Marker of a copy in progress. It remains after a failed copy. */
type Claim = {
  /** Returns the statement that renews the claim; part of each slice's transaction. */
  renewal(): Statement
  /** Fails if another copy has taken over the target. */
  check(renewed: number | undefined): void
  /** Marks the copy as complete. */
  finish(): Promise<void>
}
type Target = { db: Db; emptying(tables: readonly string[]): readonly Statement[] }

/** Much longer than writing one slice takes. */
const leaseMs = 120_000

const refuse = (message: string, hint: string): never => {
  throw new AppError('COPY_REFUSED', { status: 409, message, hint })
}

/**
 * Claims a target for one copy. Data of an earlier, failed copy is deleted. A target that contains other data, or that
 * another copy writes to, is refused and left unchanged.
 */
async function claimTarget({ db, emptying }: Target, clock: { now(): number }): Promise<Claim> {
  const workerId = newWorkerId()
  const [earlier] = await db.all('SELECT worker_id, lease_until FROM copying')
  const isOver = earlier && (hasDied(String(earlier.worker_id)) || Number(earlier.lease_until) <= clock.now())
  if (!earlier) await refuseWithData(db)
  if (earlier && !isOver)
    refuse('Another copy into this target is running.', 'If it failed on another machine, try again in two minutes.')
  const [, claimed] = await db.transaction([
    { sql: 'DELETE FROM copying WHERE worker_id = ?', params: [earlier?.worker_id ?? ''] },
    {
      sql: 'INSERT INTO copying (worker_id, lease_until) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM copying) RETURNING worker_id',
      params: [workerId, clock.now() + leaseMs],
    },
  ])
  if (claimed?.rows.length !== 1) refuse('Another copy into this target has just started.', 'Wait until it has ended.')
  if (earlier) await db.transaction(emptying(['shared_host', ...copiedTables.map(({ name }) => name), 'page_entry']))
  return {
    renewal: () => ({
      sql: 'UPDATE copying SET lease_until = ? WHERE worker_id = ?',
      params: [clock.now() + leaseMs, workerId],
    }),
    check(renewed) {
      if (renewed !== 1) refuse('Another copy has taken over the target.', 'Wait until it has ended.')
    },
    finish: async () => void (await db.run('DELETE FROM copying WHERE worker_id = ?', [workerId])),
  }
}

async function refuseWithData(db: Db): Promise<void> {
  for (const { name } of copiedTables) {
    const [count] = await db.all(`SELECT COUNT(*) AS number FROM ${name}`)
    if (Number(count?.number) > 0)
      refuse(`The target already contains data (${name}: ${Number(count?.number)} rows).`, 'Copy into an empty one.')
  }
}

/** A table to copy: its key columns, and the number of rows per slice. */
type CopiedTable = { name: string; key: readonly string[]; slice: number }

const few = 20
const many = 500
const t = (name: string, key: string, slice = many): CopiedTable => ({ name, key: key.split(' '), slice })

/** Tables in order of their references. Tables with large rows use small slices. */
export const copiedTables: readonly CopiedTable[] = [
  t('kept_text', 'id', few),
  t('cache_page', 'id'),
  t('cache_body', 'page_id', few),
  t('cache_made', 'page_id variant part', few),
  t('job', 'id', few),
  t('activity', 'team_id created_at id'),
  t('ledger', 'job_id'),
  t('usage_day', 'team_id day key_name endpoint'),
  t('model_month', 'team_id month key_name task model'),
  t('team', 'id'),
  t('api_key', 'name'),
  t('host_trait', 'host'),
  t('crawl', 'id', few),
  t('crawl_page', 'seq'),
  t('crawl_host', 'crawl_id host'),
  t('crawl_document', 'crawl_id n', few),
  t('crawl_skip', 'crawl_id url'),
  t('delivery', 'id', few),
  t('delivery_queue', 'crawl_id'),
  t('snapshot', 'team_id url tag', few),
  t('linked_file', 'id', few),
  t('browser_session', 'id'),
  t('workflow', 'id', few),
  t('workflow_step', 'workflow_id name', few),
  t('monitor', 'id'),
  t('keyed_call', 'team_id key_digest', few),
  t('refusal', 'team_id digest'),
]

/**
 * Tables whose counters are changed by triggers of later tables. They are copied a second time at the end, which
 * restores the original values.
 */
const countedTables: readonly string[] = ['crawl', 'crawl_host', 'delivery_queue']

/**
 * Tables not copied: leases of running programs and copies, and derived data (the index is rebuilt from the pages,
 * shared hosts by triggers).
 */
export const leftTables: readonly string[] = [
  'quota_worker',
  'node',
  'slot',
  'credit_hold',
  'call_count',
  'page_entry',
  'copying',
  'shared_host',
]
