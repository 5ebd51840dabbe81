import { objectsPort } from '../../app/wiring/store-wiring.ts'
import { noTelemetry } from '../../app/telemetry/telemetry.ts'
import { copyDatabase, openCopyPlace } from '../../engine/store/copy/copy.ts'
import type { Command } from '../command.ts'
import { usageError } from '../usage/syntax.ts'

/** `gossamer db copy FROM TO`: moves all data between a data folder and a PostgreSQL database. */
export const dbCommand: Command = async ({ words, terminal, config }) => {
  const [verb, source, target, ...more] = words
  if (verb !== 'copy' || source === undefined || target === undefined || more.length > 0) throw usageError('db')
  const from = await openCopyPlace(source, 'source')
  const objects = objectsPort({ ...config, dataDir: source }, noTelemetry)
  try {
    const to = await openCopyPlace(target, 'target')
    try {
      await copyDatabase(from, to, {
        clock: { now: Date.now },
        objects,
        onCopied: ({ table, rows }) => void (rows > 0 && terminal.err(`${table}: ${rows}\n`)),
      })
    } finally {
      await to.close()
    }
  } finally {
    await objects?.close()
    await from.close()
  }
  terminal.err('All is copied. The source is as it was.\n')
  return 0
}
