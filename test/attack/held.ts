import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'

/** Files of the unpacked browser: 200 MB to which no page can write. */
const program = /\/browser\/chromium-[\d.]+\/./

/** Returns the files below a folder, without those of the unpacked browser. */
export const filesBelow = (folder: string): { path: string; isFile: boolean }[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
    .filter(({ path }) => !program.test(path))

/** Returns the paths and bytes of all files below a folder, including the write-ahead log of the database. */
export const rawBelow = (folder: string): string =>
  filesBelow(folder)
    .map(({ path, isFile }) => `${path}\n${isFile ? bytesOf(path) : ''}`)
    .join('\n')

function bytesOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Returns the content of a data folder, both as stored and decompressed. */
export function heldIn(dataDir: string): string {
  const path = join(dataDir, 'gossamer.db')
  const packed = existsSync(path) ? unpacked(path) : []
  return [rawBelow(dataDir), ...packed].join('\n')
}

function unpacked(path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    return db
      .prepare(`SELECT m.name AS name, c.name AS field FROM sqlite_master m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND c.name LIKE '%\\_zst' ESCAPE '\\'`)
      .all()
      .flatMap(({ name, field }) => db.prepare(`SELECT "${field}" AS value FROM "${name}"`).all())
      .flatMap(({ value }) => (value instanceof Uint8Array ? [zstdDecompressSync(value).toString()] : []))
  } finally {
    db.close()
  }
}
