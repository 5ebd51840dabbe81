import { join } from 'node:path'
import { AppError, fail } from '../../../kernel/error.ts'
import { createProfileStore, type ProfileStoreOptions } from '../../browser/profile/profile-store.ts'

/** A value, and the origin whose pages it may be typed into. */
export type StoredSecret = { value: string; origin: string }

const leastCharacters = 4

/** Errors of the files, whose texts are about profiles, in words about secrets. */
const aboutSecret = (name: string) => (thrown: unknown) => {
  if (thrown instanceof AppError && thrown.code === 'NOT_FOUND')
    fail('NOT_FOUND', { message: `There is no secret "${name}".`, hint: 'List them with "gossamer secrets list".' })
  if (thrown instanceof AppError && thrown.code === 'PROFILE_UNREADABLE')
    fail('PROFILE_UNREADABLE', {
      message: `The stored secret "${name}" cannot be read: it was stored with another GOSSAMER_PROFILE_KEY, or is damaged.`,
      hint: 'Set GOSSAMER_PROFILE_KEY to the passphrase it was stored with, or store it again with "gossamer secrets add".',
      cause: thrown,
    })
  throw thrown
}

/**
 * Secrets of teams, stored in a separate folder like browser profiles: one file each, readable by its owner only, and
 * encrypted if there is a key.
 */
export function createStoredSecrets({ dir, ...options }: ProfileStoreOptions) {
  const files = createProfileStore({ ...options, dir: dir && join(dir, 'secrets') })

  async function find(teamId: string, name: string): Promise<StoredSecret | undefined> {
    if (!(await files.list(teamId)).some((each) => each.name === name)) return undefined
    const [stored] = (await files.export(teamId, name).catch(aboutSecret(name))).origins
    const value = stored?.localStorage[0]?.value
    return stored && value !== undefined ? { value, origin: stored.origin } : undefined
  }

  return {
    find,
    /** Replaces a secret of the same name. Fails with BAD_REQUEST if the name, the value or the origin is invalid. */
    async add(teamId: string, name: string, { value, origin: url }: StoredSecret): Promise<void> {
      if (!/^[\w.-]{1,64}$/.test(name))
        fail('BAD_REQUEST', {
          message: 'The name of a secret has 1 to 64 letters, digits, dots, hyphens or underscores.',
        })
      if (value.length < leastCharacters || /\p{Cc}/u.test(value))
        fail('BAD_REQUEST', { message: `A secret is one line of at least ${leastCharacters} characters.` })
      const { protocol = '', origin = '' } = URL.parse(url) ?? {}
      if (!/^https?:$/.test(protocol))
        fail('BAD_REQUEST', { message: 'The origin of a secret is an address such as https://shop.example.com.' })
      await files.import(teamId, name, { cookies: [], origins: [{ origin, localStorage: [{ name, value }] }] })
    },
    remove: (teamId: string, name: string) => files.delete(teamId, name).catch(aboutSecret(name)),
    /** Names and origins, without values. */
    async list(teamId: string): Promise<{ name: string; origin: string }[]> {
      const names = (await files.list(teamId)).map(({ name }) => name)
      return Promise.all(names.map(async (name) => ({ name, origin: (await find(teamId, name))?.origin ?? '' })))
    },
  }
}
