import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ProfileState } from '../../../src/contracts/profile-state.ts'
import { createProfileStore, type ProfileStore } from '../../../src/engine/browser/profile/profile-store.ts'
import { folderForEach } from '../../helpers/for-all.ts'

export const saver = { saveChanges: true }
export const reader = { saveChanges: false }

/** Creates a data folder for each test of a file. */
export function profileFolder() {
  const folder = folderForEach()
  const files = () =>
    readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return {
    path: () => folder.path,
    store: (key?: string) => createProfileStore({ dir: folder.path, clock: { now: Date.now }, key }),
    files,
    /** Returns the path of the file whose name has this ending. */
    fileWith(ending: string): string {
      const found = files().find(({ name }) => name.endsWith(ending))
      if (!found) throw new Error(`no file ends with ${ending}`)
      return join(found.parentPath, found.name)
    },
  }
}

export const stateOf = (value: string): ProfileState =>
  ProfileState.parse({
    cookies: [{ name: 'session', value, domain: '127.0.0.1' }],
    origins: [{ origin: 'http://127.0.0.1:1', localStorage: [{ name: 'a', value }] }],
  })

export async function save(store: ProfileStore, team: string, name: string, value: string): Promise<void> {
  const held = await store.open(team, name, saver)
  await held.save(stateOf(value))
  await held.release()
}

export const read = async (store: ProfileStore, team: string, name: string) =>
  (await store.open(team, name, reader)).state?.cookies[0]?.value
