import { createHash, randomUUID, createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { failure } from '../../../kernel/error.ts'
import { succeeds } from '../../../util/async.ts'
import { makeFolder } from '../../store/make-folder.ts'
import { ProfileState } from '../../../contracts/profile-state.ts'

const base64 = z.base64()
/** Text encrypted with AES-256-GCM (NIST SP 800-38D), with a key derived by scrypt (RFC 7914) from a passphrase and a salt. */
const Sealed = z.object({
  cipher: z.literal('aes-256-gcm'),
  kdf: z.literal('scrypt-32768-8-1'),
  salt: base64,
  iv: base64,
  tag: base64,
  data: base64,
})
type Sealed = z.output<typeof Sealed>

/** `about` is authenticated but not encrypted: with another value the text cannot be decrypted. */
export type Sealer = ReturnType<typeof createSealer>

const cost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const maxKeys = 64

/** Key derivation is slow by design, so keys are cached by salt, and a process encrypts with a single salt. */
export function createSealer(passphrase: string) {
  const keys = new Map<string, Promise<Buffer>>()
  const ownSalt = randomBytes(16)

  function keyFor(salt: Buffer): Promise<Buffer> {
    const id = textOf(salt)
    const key = keys.get(id) ?? keyOf(passphrase, salt)
    if (keys.size >= maxKeys) keys.clear()
    keys.set(id, key)
    return key
  }

  return {
    async seal(text: string, about: string): Promise<Sealed> {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', await keyFor(ownSalt), iv).setAAD(Buffer.from(about))
      const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return {
        cipher: 'aes-256-gcm',
        kdf: 'scrypt-32768-8-1',
        salt: textOf(ownSalt),
        iv: textOf(iv),
        tag: textOf(cipher.getAuthTag()),
        data: textOf(data),
      }
    },
    /** Decrypts the text. Rejects for another passphrase or if anything was changed. */
    async unseal(sealed: Sealed, about: string) {
      const key = await keyFor(bytesOf(sealed.salt))
      const decipher = createDecipheriv('aes-256-gcm', key, bytesOf(sealed.iv), { authTagLength: 16 })
        .setAAD(Buffer.from(about))
        .setAuthTag(bytesOf(sealed.tag))
      return Buffer.concat([decipher.update(bytesOf(sealed.data)), decipher.final()]).toString('utf8')
    },
  }
}

const textOf = (bytes: Buffer) => bytes.toString('base64')
const bytesOf = (text: string) => Buffer.from(text, 'base64')

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

const version = 1

/** One profile on disk: the fields readable without the key, and its state, encrypted or plain. */
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
type ProfileHead = Pick<z.output<typeof ProfileFile>, 'name' | 'createdAt' | 'savedAt'>
export type StoredProfile = ProfileHead & { isEncrypted: boolean; bytes: number }

/** Returns a short, unique file name for any text (NFC), safe on all file systems and never a Windows device name. */
export function fileNameOf(text: string): string {
  const normal = text.normalize('NFC')
  const readable = normal
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-|-$/g, '')
  return `${readable || 'name'}-${createHash('sha256').update(normal).digest('hex').slice(0, 32)}`
}

/** The file is broken. A wrong key causes another error. */
export class BrokenProfile extends Error {
  override readonly name = 'BrokenProfile'
}

/** Reads the fields that need no key; undefined without a file. Fails with PROFILE_UNREADABLE or BrokenProfile. */
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
  if (!file.success) throw new BrokenProfile('the file is not a profile', { cause: file.error })
  return file.data
}

function contentOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BrokenProfile('the file is not JSON', { cause })
  }
}

/** Returns the state in a file. Fails with PROFILE_UNREADABLE without its key, or with BrokenProfile. */
export async function readState(
  { sealed, state, ...head }: z.output<typeof ProfileFile>,
  teamId: string,
  sealer: Sealer | undefined,
): Promise<ProfileState> {
  if (!sealed && state) return state
  if (!sealed) throw new BrokenProfile('the file contains no state')
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

/** Binds an encrypted state to its team, name and dates. */
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

export async function setAside(path: string, now: number): Promise<string> {
  const aside = `${path}.broken-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  await rename(path, aside)
  return basename(aside)
}

export const exists = (path: string) => succeeds(stat(path))
