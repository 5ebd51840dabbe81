// Records jobs for ever and prints the id of each one that was acknowledged.
import { openStoreIn } from './open-here.ts'

const { store, job } = await openStoreIn(process.argv[2] ?? '')
for (;;) {
  const made = job()
  await store.jobs.record(made)
  process.stdout.write(`${made.id}\n`)
}
