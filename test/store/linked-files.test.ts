import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createLinkedFiles } from '../../src/engine/store/sqlite/linked-files.ts'
import { fakeClock, logBook } from '../contracts/fixtures.ts'

const retentionMs = 86_400_000
const picture = { teamId: 'team', mediaType: 'image/png', bytes: Uint8Array.of(0x89, 0x50, 0, 255) }

function open() {
  const db = openSqlite(':memory:')
  onTestFinished(() => db.close())
  const clock = fakeClock()
  const { log } = logBook()
  const files = createLinkedFiles({ db, clock, log, closing: new AbortController().signal }, retentionMs)
  const count = async () => Number((await db.all('SELECT COUNT(*) AS n FROM linked_file'))[0]?.n)
  return { clock, files, count }
}

test('a file that answers link to is deleted in time', async () => {
  const { files, clock, count } = open()
  for (let nth = 0; nth < 45; nth++) await files.keep({ ...picture, bytes: Uint8Array.of(nth) })
  clock.advance(retentionMs)
  await files.keep({ ...picture, teamId: 'other' })
  await files.idle()
  expect(await count()).toBe(1)
})
