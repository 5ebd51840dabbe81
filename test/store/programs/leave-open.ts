// Uses a store and ends without closing it.
import { openStoreIn } from './open-here.ts'

const { store, job } = await openStoreIn(process.argv[2] ?? '')
await store.jobs.record(job())
// Not awaited, but must still be written.
void store.jobs.record({ ...job(), id: 'last' })
process.stdout.write('end of program')
