import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import zlib from 'node:zlib'

/** Counters of this process since its start. Only `cpuMs` depends on the load of the machine. */
export type Counts = {
  statements: number
  commits: number
  /** Contents packed with zstd. */
  packings: number
  writeCalls: number
  writtenBytes: number
  readBytes: number
  cpuMs: number
}

type Params = Parameters<StatementSync['run']>

/** Counts calls of SQLite and the packer in this thread. Call it before anything imports them by name. */
export function countWork(): () => Counts {
  const seen = { statements: 0, commits: 0, packings: 0 }
  const { run, all } = StatementSync.prototype
  StatementSync.prototype.run = function counted(this: StatementSync, ...params: Params) {
    seen.statements += 1
    return run.apply(this, params)
  } as typeof run
  StatementSync.prototype.all = function counted(this: StatementSync, ...params: Params) {
    seen.statements += 1
    return all.apply(this, params)
  } as typeof all
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function counted(sql) {
    seen.statements += 1
    if (sql === 'COMMIT') seen.commits += 1
    exec.call(this, sql)
  }
  const { zstdCompressSync } = zlib
  zlib.zstdCompressSync = (...given) => {
    seen.packings += 1
    return zstdCompressSync(...given)
  }
  syncBuiltinESMExports()
  return () => {
    const io = Object.fromEntries(
      readFileSync('/proc/self/io', 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(': ') as [string, string]),
    )
    const { user, system } = process.cpuUsage()
    return {
      ...seen,
      writeCalls: Number(io.syscw),
      writtenBytes: Number(io.wchar),
      readBytes: Number(io.rchar),
      cpuMs: (user + system) / 1000,
    }
  }
}

export const perPage = (from: Counts, to: Counts, pages: number): Counts => {
  const each = (name: keyof Counts) => (to[name] - from[name]) / pages
  return {
    statements: each('statements'),
    commits: each('commits'),
    packings: each('packings'),
    writeCalls: each('writeCalls'),
    writtenBytes: each('writtenBytes'),
    readBytes: each('readBytes'),
    cpuMs: each('cpuMs'),
  }
}
