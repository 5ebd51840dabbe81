// Opens a profile to save to it, reports that, and waits to be killed.
import { createProfileStore } from '../../../src/engine/browser/profile/profile-store.ts'

const [, , dir = '', name = ''] = process.argv
const store = createProfileStore({ dir, clock: { now: Date.now } })
await store.open('team', name, { saveChanges: true, by: 'the holder' })
process.stdout.write('held\n')
setInterval(() => {}, 1000)
