import { openS3Objects } from '../../src/engine/objects/s3-objects.ts'
import { openStore } from '../../src/engine/store/sqlite/open-store.ts'
import type { Store } from '../../src/engine/store/store.ts'
import type { OpenStore } from '../contracts/store-under-test.ts'
import { tempDir } from '../helpers/program.ts'
import { reopened } from './reopened.ts'

/** SQLite in a separate folder, with its large files in the object store at this address. */
export function openWithObjects(url: () => string): OpenStore<keyof Store> {
  return (settings) => {
    const { path: dir, remove } = tempDir()
    return reopened({
      open: async (usual) => openStore({ ...usual, dir, objects: openS3Objects(url(), 'Gossamer/test'), ...settings }),
      remove,
    })
  }
}
