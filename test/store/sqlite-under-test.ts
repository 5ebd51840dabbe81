import { openStore } from '../../src/engine/store/sqlite/open-store.ts'
import type { Store } from '../../src/engine/store/store.ts'
import type { OpenStore } from '../contracts/store-under-test.ts'
import { tempDir } from '../helpers/program.ts'
import { reopened } from './reopened.ts'

/** SQLite in a separate folder, in a separate thread. */
export const openSqliteStore = openIn('its own')
/** SQLite in a separate folder, in this thread. */
export const openSqliteHere = openIn('this one')

function openIn(thread: 'its own' | 'this one'): OpenStore<keyof Store> {
  return (settings) => {
    const { path: dir, remove } = tempDir()
    return reopened({ open: async (usual) => openStore({ ...usual, dir, thread, ...settings }), remove })
  }
}
