import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { failure } from '../../../kernel/error.ts'
import { makeFolder } from '../../store/make-folder.ts'
import { Sealed, type Sealer } from './seal.ts'
import { ProfileState } from '../../../contracts/profile-state.ts'

const version = 1

/** One profile on disk: what is readable without the key, and its state, encrypted or plain. */
const ProfileFile = z.object({
  format: z.literal('gossamer-profile'),
  version: z.literal(version),
  name: z.string(),
  createdAt: z.number(),
  savedAt: z.number(),
  sealed: Sealed.optional(),
  state: ProfileState.optional(),
})
const NewerProfileFile = z.object({ format: z.literal('gossamer-profile'), version: z.number().gt(version) })
export type ProfileHead = Pick<z.output<typeof ProfileFile>, 'name' | 'createdAt' | 'savedAt'>
export type StoredProfile = ProfileHead & { isEncrypted: boolean; bytes: number }

/**
 * A file name for any text: short, of letters, digits and dashes, never a Windows device name, and unique also on file
 * systems that ignore case. Texts that are equal in NFC share one.
 */
export function fileNameOf(text: string): string {
  const normal = text.normalize('NFC')
  const readable = normal
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-|-$/g, '')
  return `${readable || 'name'}-${createHash('sha256').update(normal).digest('hex').slice(0, 32)}`
}

/** The file is broken. A wrong key is another error. */
export class BrokenProfile extends Error {
  override readonly name = 'BrokenProfile'
}

/** The part of a file that needs no key; undefined when there is no file. Fails with PROFILE_UNREADABLE for a newer version, or with BrokenProfile. */
export async function readHead(path: string) {
  const bytes = await readFile(path).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined
    throw thrown
  })
  if (!bytes) return undefined
  const file = parsed(bytes.toString('utf8'))
  const { name, createdAt, savedAt, sealed } = file
  return { file, stored: { name, createdAt, savedAt, isEncrypted: sealed !== undefined, bytes: bytes.length } }
}

function parsed(text: string): z.output<typeof ProfileFile> {
  const content = contentOf(text)
  const newer = NewerProfileFile.safeParse(content)
  if (newer.success)
    throw failure('PROFILE_UNREADABLE', {
      message: 'The stored browser profile was saved by a later version of Gossamer.',
      hint: 'Update gossamer-mcp, or use another name.',
    })
  const file = ProfileFile.safeParse(content)
  if (!file.success) throw new BrokenProfile('the file is no profile', { cause: file.error })
  return file.data
}

function contentOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BrokenProfile('the file is no JSON', { cause })
  }
}

/** The state in a file. Fails with PROFILE_UNREADABLE without its key, or with BrokenProfile. */
export async function readState(
  { sealed, state, ...head }: z.output<typeof ProfileFile>,
  teamId: string,
  sealer: Sealer | undefined,
): Promise<ProfileState> {
  if (!sealed && state) return state
  if (!sealed) throw new BrokenProfile('the file holds no state')
  if (!sealer)
    throw failure('PROFILE_UNREADABLE', {
      message: 'The stored browser profile is encrypted, and GOSSAMER_PROFILE_KEY is not set.',
      hint: 'Set GOSSAMER_PROFILE_KEY to the passphrase it was saved with.',
    })
  try {
    return ProfileState.parse(JSON.parse(await sealer.unseal(sealed, authenticatedData(head, teamId))))
  } catch (cause) {
    throw failure('PROFILE_UNREADABLE', {
      message:
        'The stored browser profile cannot be decrypted: it was saved with another GOSSAMER_PROFILE_KEY, or was changed.',
      hint: 'Set GOSSAMER_PROFILE_KEY to the passphrase it was saved with, or delete the profile with "gossamer profile delete NAME".',
      cause,
    })
  }
}

/** An encrypted state opens only for the team, the name and the dates it was saved with. */
const authenticatedData = ({ name, createdAt, savedAt }: ProfileHead, teamId: string) =>
  JSON.stringify([version, teamId, name, createdAt, savedAt])

/** Replaces the file atomically: readers find the old state or the new one, even after a power failure. */
export async function writeProfile(
  path: string,
  { head, teamId, state }: { head: ProfileHead; teamId: string; state: ProfileState },
  sealer: Sealer | undefined,
): Promise<void> {
  const content = sealer
    ? { sealed: await sealer.seal(JSON.stringify(state), authenticatedData(head, teamId)) }
    : { state }
  await makeOwnFolder(dirname(path))
  await removeTemporary(path)
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await writeSynced(temporary, JSON.stringify({ format: 'gossamer-profile', version, ...head, ...content }))
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

export const makeOwnFolder = (path: string) => makeFolder(path, 0o700)

/** Removes files of a process that died while writing. Only the holder of the profile's lock may call it. */
export async function removeTemporary(path: string): Promise<void> {
  const folder = dirname(path)
  const left = (await readdir(folder)).filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.tmp'))
  for (const name of left) await rm(join(folder, name), { force: true })
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Windows cannot open folders, and needs no sync. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

/** Renames a broken file to a name with the date, and returns that name. */
export async function setAside(path: string, now: number): Promise<string> {
  const aside = `${path}.broken-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  await rename(path, aside)
  return basename(aside)
}

export const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
