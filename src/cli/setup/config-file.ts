import { chmod, chown, lstat, mkdir, open, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { randomBytes } from 'node:crypto'
import { UsageError } from '../command.ts'

/** A config file as read. */
export type ConfigFile = {
  /** The real path, if the given path is a symbolic link. */
  path: string
  /** Undefined if there is no file. */
  text: string | undefined
}

/** Only the owner may read a new file: entries of servers often contain keys. */
const privateMode = 0o600

/** Reads the file at a path, following links. Throws UsageError if it is not a text file. */
export async function readConfigFile(given: string): Promise<ConfigFile> {
  const path = await behindLinks(given)
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new UsageError(`${path} cannot be read: ${error.code}. Nothing was changed.`, { cause: error })
  })
  if (bytes === undefined) return { path, text: undefined }
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch (cause) {
    throw new UsageError(`${path} is not UTF-8 text. Save it as UTF-8, then try again. Nothing was changed.`, { cause })
  }
}

/** Replaces the text atomically, or deletes the file; keeps owner and permissions. */
export async function replaceConfigFile({ path, text: before }: ConfigFile, text: string | undefined): Promise<void> {
  try {
    if (text === undefined) {
      await refuseIfChanged(path, before)
      return await rm(path, { force: true })
    }
    await mkdir(dirname(path), { recursive: true })
    const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`)
    try {
      await writeLike(path, temporary, text)
      await refuseIfChanged(path, before)
      await rename(temporary, path)
    } finally {
      await rm(temporary, { force: true })
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${path} cannot be written: ${code}. Nothing was changed.`, { cause: error })
  }
}

async function writeLike(path: string, temporary: string, text: string): Promise<void> {
  const old = await stat(path).catch(() => undefined)
  const file = await open(temporary, 'wx', privateMode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  if (!old) return
  await chmod(temporary, old.mode & 0o777)
  // Under sudo the file keeps its owner.
  if (process.getuid?.() === 0) await chown(temporary, old.uid, old.gid)
}

/** Clients write these files too. */
async function refuseIfChanged(path: string, before: string | undefined): Promise<void> {
  if ((await readConfigFile(path)).text !== before)
    throw new UsageError(`${path} was changed by another program just now. Nothing was changed; try again.`)
}

async function behindLinks(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const link = await lstat(path).catch(() => undefined)
    // A link to a file that does not exist yet.
    return link?.isSymbolicLink() ? resolve(dirname(path), await readlink(path)) : path
  }
}
